package dialog

import (
	"charm.land/bubbles/v2/key"
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"
)

var (
	plainStyle = lipgloss.NewStyle()
	faint      = plainStyle.Faint(true)
	bold       = plainStyle.Bold(true)
	accent     = plainStyle.Foreground(lipgloss.Cyan)
	bad        = plainStyle.Foreground(lipgloss.Red)
)

// theme uses the terminal's own sixteen colours, and attributes where there
// are none, so that it suits a dark and a light background alike.
func theme(bool) *huh.Styles {
	t := huh.ThemeBase(true)
	f := &t.Focused
	f.Base = plainStyle.PaddingLeft(1).BorderStyle(lipgloss.ThickBorder()).BorderLeft(true).BorderForeground(lipgloss.Cyan)
	f.Title = bold
	f.Description = faint
	f.ErrorIndicator = bad.SetString(" *")
	f.ErrorMessage = bad
	f.SelectSelector = accent.SetString("> ")
	f.MultiSelectSelector = f.SelectSelector
	f.SelectedOption = bold
	f.UnselectedOption = plainStyle
	f.SelectedPrefix = accent.SetString("[x] ")
	f.UnselectedPrefix = plainStyle.SetString("[ ] ")
	f.FocusedButton = plainStyle.Reverse(true).Padding(0, 2).MarginRight(1)
	f.BlurredButton = plainStyle.Padding(0, 2).MarginRight(1)
	f.TextInput = huh.TextInputStyles{Prompt: accent, Placeholder: faint}
	t.Blurred = t.Focused
	return t
}

// keys are huh's, less those that lead where a dialog of single pages has
// nothing, and with Tab as another Enter.
func keys(filter bool) *huh.KeyMap {
	k := huh.NewDefaultKeyMap()
	enter := key.NewBinding(key.WithKeys("enter", "tab"))
	k.Quit = key.NewBinding()
	k.Input.Submit, k.Text.Submit, k.Select.Submit, k.MultiSelect.Submit, k.Confirm.Submit = enter, enter, enter, enter, enter
	if !filter {
		k.Select.Filter, k.MultiSelect.Filter = key.NewBinding(), key.NewBinding()
	}
	return k
}

func newPage(field huh.Field, filter bool, notes ...string) *page {
	form := huh.NewForm(huh.NewGroup(field)).WithTheme(huh.ThemeFunc(theme)).WithKeyMap(keys(filter)).WithShowHelp(false).WithShowErrors(false)
	return &page{form: form, notes: notes}
}
