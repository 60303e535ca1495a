// Runs in the browser, before RapiDoc does: hands it the colours and the layout that fit the reader's screen.

const looks = {
  light: {
    theme: "light",
    "bg-color": "#ffffff",
    "text-color": "#16161a",
    "primary-color": "#0b57d0",
    "nav-bg-color": "#f7f7f9",
    "nav-text-color": "#44444e",
    "nav-hover-bg-color": "#ebebf0",
    "nav-hover-text-color": "#16161a",
    "nav-accent-color": "#0b57d0",
  },
  dark: {
    theme: "dark",
    "bg-color": "#121216",
    "text-color": "#f4f4f7",
    "primary-color": "#8ab4f8",
    "nav-bg-color": "#0f0f12",
    "nav-text-color": "#bdbdc8",
    "nav-hover-bg-color": "#24242b",
    "nav-hover-text-color": "#ffffff",
    "nav-accent-color": "#8ab4f8",
  },
};

const reference = document.querySelector("rapi-doc");
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const isNarrow = matchMedia("(max-width: 767px)");

function dress() {
  const look = prefersDark.matches ? looks.dark : looks.light;
  for (const [name, value] of Object.entries(look)) reference.setAttribute(name, value);
}

/** RapiDoc has no navigation beside the text on small screens; there, a list that unfolds does better. */
function lay() {
  reference.setAttribute("render-style", isNarrow.matches ? "view" : "focused");
  reference.setAttribute("schema-style", isNarrow.matches ? "table" : "tree");
}

dress();
lay();
prefersDark.addEventListener("change", dress);
isNarrow.addEventListener("change", lay);
