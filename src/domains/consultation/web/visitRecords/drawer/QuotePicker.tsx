import { Button, Checkbox, Modal, Skeleton } from 'antd';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import type { VisitMessage } from '../../../contract/calls/visits.ts';
import { TextSearch } from '#kernel/web/kit/TextInput.tsx';
import { useVisitMessages } from './VisitMessages.tsx';
import { MessageRow } from './VisitMessages.tsx';
import '../visits.css';

/** `患者说的话（#12）`: the number leads back to the message. */
const quoted = ({ text, seq }: VisitMessage) => `${text.trim()}（#${seq}）`;

/** 从聊天引用: messages that go into a field of the record, in the order of the chat. */
export function QuotePicker({
  serverId,
  groupId,
  label,
  onPick,
  onClose,
}: {
  serverId: string;
  groupId: string;
  label: string;
  onPick(text: string): void;
  onClose(): void;
}) {
  const [keyword, setKeyword] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<number, VisitMessage>>(new Map());
  const search = useDebouncedCallback((text: string) => setKeyword(text.trim()));
  const { messages, isCompleted, loading, failure, more } = useVisitMessages(serverId, keyword);
  const toggle = (message: VisitMessage) =>
    setChosen((before) => {
      const next = new Map(before);
      if (!next.delete(message.seq)) next.set(message.seq, message);
      return next;
    });
  const usable = messages.filter(({ isRevoked, role, text }) => !isRevoked && role !== null && text !== '');
  return (
    <Modal
      open
      title={`从聊天引用到“${label}”`}
      width={720}
      onCancel={onClose}
      okText={`引用${chosen.size > 0 ? `（${chosen.size}）` : ''}`}
      cancelText="取消"
      okButtonProps={{ disabled: chosen.size === 0 }}
      onOk={() => {
        onPick(
          [...chosen.values()]
            .toSorted((a, b) => a.seq - b.seq)
            .map(quoted)
            .join('\n'),
        );
        onClose();
      }}
    >
      <TextSearch
        allowClear
        placeholder="搜索聊天内容"
        aria-label="搜索聊天内容"
        most={30}
        style={{ marginBottom: 12 }}
        onChange={(event) => search(event.target.value)}
      />
      <div className="kq-visit-chat" style={{ maxHeight: 480, overflow: 'auto' }}>
        {usable.map((message) => (
          <MessageRow
            key={message.seq}
            serverId={serverId}
            groupId={groupId}
            message={message}
            extra={<Checkbox checked={chosen.has(message.seq)} aria-label={`引用第${message.seq}条`} onChange={() => toggle(message)} />}
          />
        ))}
        {failure !== null && (
          <p className="kq-danger">
            {failure}{' '}
            <Button size="small" onClick={more}>
              重试
            </Button>
          </p>
        )}
        {loading && messages.length === 0 && <Skeleton active />}
        {!loading && failure === null && usable.length === 0 && isCompleted && <div className="kq-empty">没有可引用的消息</div>}
        {messages.length > 0 && !isCompleted && (
          <Button block loading={loading} onClick={more}>
            加载更多
          </Button>
        )}
      </div>
    </Modal>
  );
}
