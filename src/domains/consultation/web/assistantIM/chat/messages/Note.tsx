import { LockOutlined } from '@ant-design/icons';

import { useEffect, useRef, useState } from 'react';
import { firstCharacters } from '#kernel/contract/plainText.ts';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { delGroupNote, modifyGroupNote } from '../../../../contract/calls/notes.ts';
import type { NoteRow } from '../../desk/facts.ts';
import { useDesk, useDeskState } from '../../desk/useDesk.ts';
import { dividerTime } from '../../times.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';

const EDIT_MS = 10 * 60_000;

/** An internal note at its place in the timeline: yellow, with a lock, never sent to anybody. */
export function Note({ note, itemKey }: { note: NoteRow; itemKey: string }) {
  const desk = useDesk();
  const supervisor = useDeskState((state) => state.runtime?.assistant.supervisor ?? false);
  const [text, setText] = useState<string | null>(null);
  const isFresh = Date.now() - Date.parse(note.createdAt) < EDIT_MS;
  const changed = () => void desk.chat.readNotes();
  const modify = useCommand(modifyGroupNote, { onSuccess: () => (setText(null), changed()) });
  const del = useCommand(delGroupNote, { onSuccess: changed });
  const save = async () => {
    const content = text?.trim();
    if (!content) return;
    await modify.run({
      id: note.id,
      content,
      mentions: note.mentions.map(({ assistantId }) => assistantId),
    });
  };
  const remove = async () => {
    if (await confirmDelete(`内部备注“${firstCharacters(note.content, 20)}”`)) await del.run({ id: note.id });
  };
  const box = useRef<HTMLDivElement>(null);
  const isEditing = text !== null;
  // The field is taller than the text was: its buttons must not lie under the composer.
  useEffect(() => {
    if (isEditing) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isEditing]);
  return (
    <div ref={box} className="im-note" data-key={itemKey}>
      <header>
        <LockOutlined /> 内部备注 · {note.authorName} · <time>{dividerTime(Date.parse(note.createdAt) / 1000)}</time>
        {note.editedAt && ' · 已编辑'}
        {text === null && note.mine && isFresh && (
          <button type="button" className="kq-link" onClick={() => setText(note.content)}>
            编辑
          </button>
        )}
        {text === null && (supervisor || (note.mine && isFresh)) && (
          <button type="button" className="kq-link" onClick={() => void remove()}>
            删除
          </button>
        )}
      </header>
      {text === null ? (
        <p>{note.content}</p>
      ) : (
        <>
          <TextArea autoSize autoFocus most={1000} value={text} onChange={({ target }) => setText(target.value)} aria-label="备注内容" />
          <footer>
            <button type="button" className="kq-link" onClick={() => void save()}>
              保存
            </button>
            <button type="button" className="kq-link" onClick={() => setText(null)}>
              取消
            </button>
          </footer>
        </>
      )}
      {note.mentions.length > 0 && text === null && <small>提醒 {note.mentions.map(({ name }) => `@${name}`).join(' ')}</small>}
    </div>
  );
}
