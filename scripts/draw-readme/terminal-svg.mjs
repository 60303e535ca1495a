// A picture of a terminal: text with SGR sequences, as `tmux capture-pane -e` gives it, as an SVG.

const cell = { width: 8.4, height: 18 };
const margin = { x: 16, top: 44, bottom: 16 };
const colors = {
  30: "#45475a",
  31: "#f38ba8",
  32: "#a6e3a1",
  33: "#f9e2af",
  34: "#89b4fa",
  35: "#f5c2e7",
  36: "#94e2d5",
  37: "#cdd6f4",
  90: "#7f849c",
};
const ground = "#1e1e2e";
const plain = { color: "#cdd6f4", bold: false, dim: false, inverse: false };

/** The pieces of a line that look alike, each with its column. */
function piecesOf(line, style) {
  const pieces = [];
  let column = 0;
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) for (const code of codes.split(";")) apply(style, Number(code));
    else if (part !== "") {
      pieces.push({ column, text: part, ...style });
      column += [...part].length;
    }
  }
  return pieces;
}

function apply(style, code) {
  if (code === 0) Object.assign(style, plain);
  else if (code === 1) style.bold = true;
  else if (code === 2) style.dim = true;
  else if (code === 7) style.inverse = true;
  else if (code === 22) Object.assign(style, { bold: false, dim: false });
  else if (code === 27) style.inverse = false;
  else if (code === 39) style.color = plain.color;
  else if (colors[code] !== undefined) style.color = colors[code];
}

function drawn({ column, text, color, bold, dim, inverse }, row) {
  const x = margin.x + column * cell.width;
  const y = margin.top + row * cell.height;
  const width = [...text].length * cell.width;
  const back = inverse
    ? `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${cell.height}" fill="${color}"/>`
    : "";
  if (text.trim() === "") return back;
  const look = `fill="${inverse ? ground : color}"${bold ? ' font-weight="bold"' : ""}${dim ? ' opacity="0.6"' : ""}`;
  return `${back}<text x="${x.toFixed(1)}" y="${y + 13}" textLength="${width.toFixed(1)}" ${look}>${escaped(text)}</text>`;
}

function escaped(text) {
  const named = { "&": "&amp;", "<": "&lt;", ">": "&gt;", " ": "\u00a0" };
  // Blanks as such would be drawn together.
  return text.replace(/[&<> ]/g, (sign) => named[sign]);
}

/** `title` stands in the bar of the window, and is what is read to those who do not see it. */
export function terminalSvg(screen, { columns, title }) {
  const lines = screen.trimEnd().split("\n");
  const style = { ...plain };
  const texts = lines.flatMap((line, row) => piecesOf(line, style).map((piece) => drawn(piece, row)));
  const width = Math.ceil(columns * cell.width + 2 * margin.x);
  const height = margin.top + lines.length * cell.height + margin.bottom;
  const buttons = ["#f38ba8", "#f9e2af", "#a6e3a1"].map(
    (color, index) => `<circle cx="${20 + index * 20}" cy="18" r="6" fill="${color}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" rx="10" fill="${ground}"/>
${buttons.join("")}
<text x="${width / 2}" y="23" text-anchor="middle" font-family="sans-serif" font-size="13" fill="#7f849c">${escaped(title)}</text>
<g font-family="ui-monospace, SFMono-Regular, Menlo, 'DejaVu Sans Mono', monospace" font-size="14">
${texts.join("\n")}
</g>
</svg>
`;
}
