// Texts cut to the room they have. In CSS each cut is a clip of its own, and thousands of them make a moving picture slow.

const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null = null;
let family = "";

/** The width of a text in pixels at a size of the page's font. */
export function widthOf(text: string, size: number): number {
  const key = `${size} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    context ??= document.createElement("canvas").getContext("2d");
    family ||= getComputedStyle(document.body).fontFamily;
    if (!context) return text.length * size * 0.6;
    context.font = `${size}px ${family}`;
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

/** The text, or as much of it as fits with an ellipsis: its beginning, or what `cut` keeps of it in so many characters. */
export function fitted(text: string, room: number, size: number, cut = (whole: string, most: number) => `${whole.slice(0, most - 1)}…`): string {
  if (widthOf(text, size) <= room) return text;
  let [fits, most] = [1, text.length];
  while (fits < most) {
    const middle = Math.ceil((fits + most) / 2);
    if (widthOf(cut(text, middle), size) <= room) fits = middle;
    else most = middle - 1;
  }
  return fits > 1 ? cut(text, fits) : "";
}
