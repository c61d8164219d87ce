import { memo } from 'react';
import type { TimelineItem } from '../desk/timeline.ts';
import { dividerTime } from '../times.ts';
import type { TipPayload } from '../../../contract/im/types.ts';
import { Bubble } from './Bubble.tsx';
import type { OpenFile } from './filePreview.tsx';
import { Note } from './Note.tsx';

/** One thing of the timeline. */
export const Item = memo(
  function Item({ item, onFile }: { item: TimelineItem; onFile: OpenFile }) {
    if (item.kind === 'divider')
      return (
        <p className="im-divider" data-key={item.key}>
          <time>{dividerTime(item.at)}</time>
        </p>
      );
    if (item.kind === 'tip')
      return (
        <p className="im-tip" data-key={item.key} data-seq={item.message.sequence}>
          {(item.message.payload as TipPayload).text}
        </p>
      );
    if (item.kind === 'note') return <Note note={item.note} itemKey={item.key} />;
    return <Bubble message={item.message} itemKey={item.key} onFile={onFile} />;
  },
  (before, after) =>
    before.onFile === after.onFile &&
    before.item.key === after.item.key &&
    ('message' in before.item && 'message' in after.item
      ? before.item.message === after.item.message
      : 'note' in before.item && 'note' in after.item
        ? before.item.note === after.item.note
        : 'at' in before.item && 'at' in after.item && before.item.at === after.item.at),
);
