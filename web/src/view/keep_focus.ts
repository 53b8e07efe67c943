// The keyboard's focus goes along into the next picture: the one who draws it takes the wish. Whoever types by then keeps it.

let wished = false;

export function wishFocus(): void {
  wished = true;
}

export function takeFocusWish(): boolean {
  const was = wished;
  wished = false;
  return was && !document.activeElement?.matches("input, select, textarea");
}
