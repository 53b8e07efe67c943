// Files that the page offers: made in the browser, given to it as a Blob.

export function download(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export async function svgToPng(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const most = 8000;
    const scale = Math.min(2, most / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) =>
      canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("The browser cannot draw the picture."))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A file's name made of what it shows. */
export function fileName(words: string, ending: string): string {
  const plain = words.replace(/[^\w.-]+/g, "_").replace(/^[_.]+|[_.]+$/g, "");
  return `${plain.slice(0, 80) || "lineage"}.${ending}`;
}
