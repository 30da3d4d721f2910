package utf8text

// ValidInModule is Valid as modules have it.
var ValidInModule = valid
