import { memo } from "react";
import { CARD_WIDTH } from "../graph/layout";
import type { Mark, Marks } from "../graph/marks";
import { course, type Line, type Picture } from "../graph/picture";
import { dashOf } from "../graph/svg";
import { useLitLine } from "../view/lit";

/** From so many lines on, lines have no signs and no wide reach for the pointer. */
export const MANY_LINES = 900;

interface Props {
  picture: Picture;
  marks: Marks;
  onPick: (line: Line) => void;
  onHover: (line: Line | null, event?: React.PointerEvent) => void;
}

/** All lines in one drawing below the cards. */
export const Lines = memo(function Lines({ picture, marks, onPick, onHover }: Props) {
  const plain = picture.lines.length > MANY_LINES;
  return (
    <svg className="lines" width="1" height="1" aria-hidden="true">
      {picture.lines.map((line) => {
        const from = picture.byDataset.get(line.from.card);
        const to = picture.byDataset.get(line.to.card);
        if (!from || !to) return null;
        const mark = line.links.map((link) => marks.links.get(link)).find((each) => each !== undefined);
        const middle = { x: (from.x + CARD_WIDTH + to.x) / 2, y: (from.y + line.from.y + to.y + line.to.y) / 2 };
        return (
          <OneLine
            key={line.id}
            line={line}
            path={course(line, from, to)}
            middle={middle}
            plain={plain}
            mark={mark}
            onPick={onPick}
            onHover={onHover}
          />
        );
      })}
    </svg>
  );
});

interface LineProps {
  line: Line;
  path: string;
  middle: { x: number; y: number };
  plain: boolean;
  mark: Mark | undefined;
  onPick: (line: Line) => void;
  onHover: (line: Line | null, event?: React.PointerEvent) => void;
}

const OneLine = memo(function OneLine({ line, path, middle, plain, mark, onPick, onHover }: LineProps) {
  const classes = ["line"];
  if (line.masked) classes.push("masked");
  if (line.confidence === "opaque") classes.push("opaque");
  if (mark) classes.push(mark);
  if (useLitLine(line.id)) classes.push("lit");
  const names = classes.join(" ");
  const dash = dashOf(line.dependency, line.confidence) || undefined;
  if (plain) return <path className={names} d={path} strokeDasharray={dash} onClick={() => onPick(line)} />;
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
