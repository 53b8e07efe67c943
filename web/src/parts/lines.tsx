import { memo, useMemo } from "react";
import { CARD_WIDTH } from "../graph/layout";
import type { Mark, Marks } from "../graph/marks";
import { course, type Line, type Picture } from "../graph/picture";
import { dashOf } from "../graph/svg";
import { useLitLine, useLitLines } from "../view/lit";

/** From so many lines on, those between two cards are one path, without signs and a wide reach for the pointer. */
export const MANY_LINES = 900;

interface Props {
  picture: Picture;
  marks: Marks;
  onPick: (line: Line) => void;
  onHover: (line: Line | null, event?: React.PointerEvent) => void;
}

/** All lines in one drawing below the cards. */
export const Lines = memo(function Lines(props: Props) {
  const { picture, marks, onPick, onHover } = props;
  if (picture.lines.length > MANY_LINES) return <ManyLines {...props} />;
  return (
    <svg className="lines" width="1" height="1" aria-hidden="true" data-lines={picture.lines.length}>
      {picture.lines.map((line) => {
        const from = picture.byDataset.get(line.from.card);
        const to = picture.byDataset.get(line.to.card);
        if (!from || !to) return null;
        const middle = { x: (from.x + CARD_WIDTH + to.x) / 2, y: (from.y + line.from.y + to.y + line.to.y) / 2 };
        return (
          <OneLine
            key={line.id}
            line={line}
            path={course(line, from, to)}
            middle={middle}
            mark={markOf(line, marks)}
            onPick={onPick}
            onHover={onHover}
          />
        );
      })}
    </svg>
  );
});

function markOf(line: Line, marks: Marks): Mark | undefined {
  return line.links.map((link) => marks.links.get(link)).find((each) => each !== undefined);
}

function classesOf(line: Line, mark: Mark | undefined): string[] {
  return ["line", line.masked ? "masked" : "", line.confidence === "opaque" ? "opaque" : "", mark ?? ""].filter(Boolean);
}

/** Lines between the same cards that look alike. */
interface Strand {
  key: string;
  names: string;
  dash: string;
  path: string;
  lines: { line: Line; path: string }[];
}

function strands(lines: Line[], picture: Picture, marks: Marks): Strand[] {
  const found = new Map<string, Strand>();
  for (const line of lines) {
    const from = picture.byDataset.get(line.from.card);
    const to = picture.byDataset.get(line.to.card);
    if (!from || !to) continue;
    const names = classesOf(line, markOf(line, marks)).join(" ");
    const dash = dashOf(line.dependency, line.confidence);
    const key = `${line.from.card} ${line.to.card} ${names} ${dash}`;
    const path = course(line, from, to);
    const known = found.get(key);
    if (!known) found.set(key, { key, names, dash, path, lines: [{ line, path }] });
    else {
      known.path += path;
      known.lines.push({ line, path });
    }
  }
  return [...found.values()];
}

function ManyLines({ picture, marks, onPick }: Props) {
  const all = useMemo(() => strands(picture.lines, picture, marks), [picture, marks]);
  const lit = useLitLines();
  const over = useMemo(() => strands(picture.lines.filter(({ id }) => lit.has(id)), picture, marks), [lit, picture, marks]);
  const draw = ({ key, names, dash, path, lines }: Strand, more = "") => (
    <path key={key} className={names + more} d={path} strokeDasharray={dash || undefined} onClick={(event) => onPick(lineAt(event, lines))} />
  );
  return (
    <svg className="lines" width="1" height="1" aria-hidden="true" data-lines={picture.lines.length}>
      <g className="all-lines">{all.map((strand) => draw(strand))}</g>
      {over.map((strand) => draw(strand, " lit"))}
    </svg>
  );
}

/** The line of a path that is nearest to the pointer. */
function lineAt(event: React.MouseEvent<SVGPathElement>, lines: Strand["lines"]): Line {
  const matrix = event.currentTarget.getScreenCTM()?.inverse();
  const context = document.createElement("canvas").getContext("2d");
  if (!matrix || !context) return lines[0].line;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  const paths = lines.map(({ line, path }) => ({ line, path: new Path2D(path) }));
  for (let width = 1; width < 64; width *= 2) {
    context.lineWidth = width;
    const hit = paths.find(({ path }) => context.isPointInStroke(path, x, y));
    if (hit) return hit.line;
  }
  return lines[0].line;
}

interface LineProps {
  line: Line;
  path: string;
  middle: { x: number; y: number };
  mark: Mark | undefined;
  onPick: (line: Line) => void;
  onHover: (line: Line | null, event?: React.PointerEvent) => void;
}

const OneLine = memo(function OneLine({ line, path, middle, mark, onPick, onHover }: LineProps) {
  const names = [...classesOf(line, mark), useLitLine(line.id) ? "lit" : ""].filter(Boolean).join(" ");
  const dash = dashOf(line.dependency, line.confidence) || undefined;
  const sign = line.back ? "" : signOf(line, mark);
  return (
    <g onClick={() => onPick(line)} onPointerEnter={(event) => onHover(line, event)} onPointerLeave={() => onHover(null)}>
      <path className={names} d={path} strokeDasharray={dash} />
      <path className="line-reach" d={path} data-line={line.id} />
      {sign && (
        <text className={`line-sign ${names}`} x={middle.x} y={middle.y} textAnchor="middle" dominantBaseline="central">
          {sign}
        </text>
      )}
    </g>
  );
});

function signOf(line: Line, mark: Mark | undefined): string {
  if (mark === "added") return "+";
  if (mark === "removed") return "−";
  if (mark === "changed") return "~";
  if (line.confidence === "opaque") return "?";
  if (line.masked) return "◆";
  return line.confidence === "inferred" ? "≈" : "";
}
