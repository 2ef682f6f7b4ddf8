// Renders a chart as Helm does: text/template with sprig, include, toYaml and fail, over the values of files.
// go run render.go CHART RELEASE [VALUES...]
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v2"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(path string) map[string]interface{} {
	text, err := os.ReadFile(path)
	check(err)
	var values map[interface{}]interface{}
	check(yaml.Unmarshal(text, &values))
	return plain(values).(map[string]interface{})
}

// Helm reads YAML by way of JSON: keys are strings, and numbers are floats.
func plain(value interface{}) interface{} {
	switch found := value.(type) {
	case map[interface{}]interface{}:
		fields := map[string]interface{}{}
		for name, field := range found {
			fields[fmt.Sprint(name)] = plain(field)
		}
		return fields
	case []interface{}:
		for n, item := range found {
			found[n] = plain(item)
		}
	case int:
		return float64(found)
	}
	return value
}

// Maps are merged, and everything else is replaced.
func merge(into, from map[string]interface{}) {
	for name, value := range from {
		inner, isMap := value.(map[string]interface{})
		present, isThere := into[name].(map[string]interface{})
		if isMap && isThere {
			merge(present, inner)
		} else {
			into[name] = value
		}
	}
}

func main() {
	chart, release := os.Args[1], os.Args[2]
	values := read(filepath.Join(chart, "values.yaml"))
	for _, file := range os.Args[3:] {
		merge(values, read(file))
	}
	about := map[string]interface{}{}
	for name, value := range read(filepath.Join(chart, "Chart.yaml")) {
		about[strings.ToUpper(name[:1])+name[1:]] = value
	}
	data := map[string]interface{}{
		"Values":  values,
		"Chart":   about,
		"Release": map[string]interface{}{"Name": release, "Namespace": "default", "Service": "Helm"},
	}
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		check(err)
		return strings.TrimSuffix(string(text), "\n")
	}
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	all.Funcs(functions)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	var documents []string
	for _, file := range files {
		if filepath.Ext(file) != ".yaml" {
			continue
		}
		var text strings.Builder
		check(all.ExecuteTemplate(&text, filepath.Base(file), data))
		// Helm writes nothing for a value that is not there.
		document := strings.TrimSpace(strings.ReplaceAll(text.String(), "<no value>", ""))
		if document != "" {
			documents = append(documents, document+"\n")
		}
	}
	fmt.Print(strings.Join(documents, "---\n"))
}
