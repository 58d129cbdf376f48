// A Kubernetes control plane in one program, named by its first argument. Tests start it.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	programs := map[string]func() *cobra.Command{
		"apiserver":   apiserver.NewAPIServerCommand,
		"controllers": controllers.NewControllerManagerCommand,
	}
	if len(os.Args) < 2 || programs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: kubernetes apiserver|controllers OPTIONS")
		os.Exit(2)
	}
	command := programs[os.Args[1]]()
	command.SetArgs(os.Args[2:])
	os.Exit(cli.Run(command))
}
