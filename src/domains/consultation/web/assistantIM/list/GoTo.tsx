import { Input, Modal } from 'antd';
import { useMemo, useState, type KeyboardEvent } from 'react';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from '../desk/choose.ts';
import { foreignRow, ownRows, sorted } from '../desk/listing.ts';
import { useDeskState } from '../desk/useDesk.ts';

const MOST = 12;

/** Ctrl+K: a conversation by the name of patient, doctor or group. */
export function GoTo({ onChoose, onClose }: { onChoose(id: ConversationID, mode: Mode): void; onClose(): void }) {
  const conversations = useDeskState((state) => state.conversations);
  const groups = useDeskState((state) => state.groups);
  const queue = useDeskState((state) => state.queue);
  const [word, setWord] = useState('');
  const [at, setAt] = useState(0);
  const found = useMemo(() => {
    const own = ownRows([...conversations.values()], groups);
    const waiting = queue.filter(({ member }) => !member).map((group) => foreignRow(group, conversations));
    const wanted = word.trim();
    return sorted([...own, ...waiting], 'lastMessage')
      .filter(({ name, group }) => `${name} ${group?.suffererName ?? ''} ${group?.doctorName ?? ''}`.includes(wanted))
      .slice(0, MOST);
  }, [conversations, groups, queue, word]);
  const open = (index: number) => {
    const row = found[index];
    if (!row) return;
    onChoose(row.id, row.mode);
    onClose();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt((now) => Math.max(0, Math.min(found.length - 1, now + (event.key === 'ArrowDown' ? 1 : -1))));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(at);
  };
  return (
    <Modal open title="跳转到会话" footer={null} width={460} onCancel={onClose}>
      <Input
        placeholder="患者、医生或会话名称"
        value={word}
        onChange={({ target }) => (setWord(target.value), setAt(0))}
        onKeyDown={onKey}
      />
      <ul className="im-goto" role="listbox">
        {found.map((row, index) => (
          <li key={row.id} role="option" aria-selected={index === at} onClick={() => open(index)} onMouseEnter={() => setAt(index)}>
            <b>{row.name}</b>
            <span className="kq-muted">{row.mode === 'PREVIEW' ? '待接入' : (row.group?.doctorName ?? '')}</span>
          </li>
        ))}
        {found.length === 0 && <li className="kq-muted">没有符合的会话</li>}
      </ul>
    </Modal>
  );
}
