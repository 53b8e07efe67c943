/** Whether a word is a name with one letter wrong, missing, too many or swapped; with two from eight letters on. */
export function isTypo(name: string, word: string): boolean {
  const most = word.length >= 8 ? 2 : 1;
  if (Math.abs(name.length - word.length) > most) return false;
  return distance(name, word, most) <= most;
}

/** Damerau's distance with adjacent swaps, given up where it is over `most`. */
function distance(a: string, b: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2] + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return least;
    before = last;
    last = row;
  }
  return last[b.length];
}
