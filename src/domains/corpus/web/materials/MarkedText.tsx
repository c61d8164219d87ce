import { wordLevel } from '../../contract/materials/dictionaries.ts';
import { markedParts, type ForbiddenWord } from '../../contract/materials/text.ts';
import './materials.css';

/** A text with its forbidden words marked in place. */
export function MarkedText({ text, words }: { text: string; words: readonly ForbiddenWord[] }) {
  return (
    <>
      {markedParts(text, words).map((part, index) =>
        part.level === null ? (
          part.text
        ) : (
          <mark key={index} className={`kq-mark-${part.level}`} title={wordLevel.label(part.level)}>
            {part.text}
          </mark>
        ),
      )}
    </>
  );
}
