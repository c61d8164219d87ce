import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import type { VisitDetail } from '../../../contract/calls/visits.ts';
import { consultationPermissions as may } from '../../../contract/permissions.ts';
import { usePrint } from '../usePrint.ts';
import { TextSearch } from '#kernel/web/kit/TextInput.tsx';
import { useVisitMessages } from './VisitMessages.tsx';
import { MessageRow } from './VisitMessages.tsx';
import '../visits.css';

/** 聊天记录: what was said in this inquiry, from its first message to its last. */
export function ChatTab({ detail: { row, startSeq } }: { detail: VisitDetail }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback((text: string) => setKeyword(text.trim()));
  const { messages, isCompleted, loading, failure, more } = useVisitMessages(row.serverId, keyword);
  const print = usePrint();
  return (
    <>
      <div className="kq-toolbar" style={{ marginBottom: 12 }}>
        <TextSearch
          allowClear
          style={{ width: 280 }}
          most={30}
          placeholder="搜索聊天内容"
          aria-label="搜索聊天内容"
          onChange={(event) => search(event.target.value)}
        />
        <div className="kq-toolbar-end">
          {row.canOpenChat && row.groupId && (
            <Button
              onClick={() => goTo('/assistantIM', { conversationID: `GROUP${row.groupId}`, ...(startSeq !== null && { seq: startSeq }) })}
            >
              进入会话
            </Button>
          )}
          <Can permission={may['visit.export']}>
            <Button disabled={startSeq === null} onClick={() => void print(row.serverId, 'chat')}>
              导出PDF
            </Button>
          </Can>
        </div>
      </div>
      <div className="kq-visit-chat">
        {messages.map((message) => (
          <MessageRow key={message.seq} serverId={row.serverId} groupId={row.groupId ?? ''} message={message} />
        ))}
        {failure !== null && (
          <p className="kq-danger">
            {failure}{' '}
            <Button size="small" onClick={more}>
              重试
            </Button>
          </p>
        )}
        {loading && messages.length === 0 && <Skeleton active paragraph={{ rows: 6 }} />}
        {!loading && failure === null && messages.length === 0 && (
          <div className="kq-empty">{keyword === '' ? '本次问诊没有聊天记录' : '没有找到包含该内容的消息'}</div>
        )}
        {messages.length > 0 && !isCompleted && (
          <Button block loading={loading} onClick={more}>
            加载更多
          </Button>
        )}
      </div>
    </>
  );
}
