// Renders a chart as Helm does, with the same template language and functions: render CHART RELEASE [VALUES] [KEY=VALUE]...
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(path string) map[string]interface{} {
	text, err := os.ReadFile(path)
	must(err)
	values := map[string]interface{}{}
	must(yaml.Unmarshal(text, &values))
	return values
}

func main() {
	chart, release := os.Args[1], os.Args[2]
	values := read(filepath.Join(chart, "values.yaml"))
	for _, given := range os.Args[3:] {
		at := values
		path, text, _ := strings.Cut(given, "=")
		keys := strings.Split(path, ".")
		for _, key := range keys[:len(keys)-1] {
			at = at[key].(map[string]interface{})
		}
		var value interface{}
		must(yaml.Unmarshal([]byte(text), &value))
		at[keys[len(keys)-1]] = value
	}
	all := template.New("").Option("missingkey=error").Funcs(sprig.TxtFuncMap())
	all.Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var out bytes.Buffer
			err := all.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"toYaml": func(value interface{}) (string, error) {
			out, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(out), "\n"), err
		},
	})
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		must(err)
	}
	data := map[string]interface{}{"Values": values, "Release": map[string]string{"Name": release}, "Chart": read(filepath.Join(chart, "Chart.yaml"))}
	for _, file := range files {
		if strings.HasSuffix(file, ".yaml") {
			fmt.Println("---")
			must(all.ExecuteTemplate(os.Stdout, filepath.Base(file), data))
		}
	}
}
