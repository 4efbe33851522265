// The rules that `make lint` holds the page's script to: ESLint's recommended ones, and what the house adds.

const js = require("@eslint/js");
const globals = require("globals");

module.exports = [
  js.configs.recommended,
  {
    files: ["explorer/ui/static/**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-restricted-globals": ["error", "event", "name", "status", "length"], // of `window`, where a variable was meant
      "no-shadow-restricted-names": "error",
      "no-unused-vars": ["error", { args: "after-used", caughtErrors: "all" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
