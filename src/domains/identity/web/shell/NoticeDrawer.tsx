import { Badge, Button, Drawer, Switch, Tabs, Tooltip } from 'antd';
import { useState } from 'react';
import type { AnswerOf, OutputOf } from '#kernel/contract/call.ts';
import { refresh, useCommand, useList } from '#kernel/web/http/queries.ts';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { parseSearch } from '#kernel/web/router/address.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { queryMyNoticeList, queryUnreadCount, readAllNotice, readNotice } from '../../contract/calls/notices.ts';
import { noticeKinds, noticeLevels } from '../../contract/dictionaries.ts';
import { NoticeBody } from './NoticeBody.tsx';

type Kind = (typeof noticeKinds.codes)[number];
type Notice = OutputOf<typeof queryMyNoticeList>;

interface NoticeDrawerProps {
  open: boolean;
  counts: AnswerOf<typeof queryUnreadCount> | undefined;
  onClose(): void;
}

const kinds: readonly Kind[] = ['TODO', 'ALERT', 'RESULT', 'ANNOUNCE'];
const STEP = 20;
const nothing: Record<Kind, string> = { TODO: '暂无待办', ALERT: '暂无预警', RESULT: '暂无任务结果', ANNOUNCE: '暂无公告' };

/** 待办 / 预警 / 任务结果 / 公告; each entry opens its link or unfolds its text. */
export default function NoticeDrawer({ open, counts, onClose }: NoticeDrawerProps) {
  const [kind, setKind] = useState<Kind>('TODO');
  return (
    <Drawer open={open} title="通知" size={460} onClose={onClose} destroyOnHidden>
      <Tabs
        activeKey={kind}
        onChange={(key) => setKind(key as Kind)}
        items={kinds.map((key) => ({
          key,
          label: (
            <Badge size="small" count={counts?.[key] ?? 0} offset={[8, -2]}>
              {key === 'ANNOUNCE' ? '公告' : noticeKinds.label(key)}
            </Badge>
          ),
        }))}
      />
      <Notices key={kind} kind={kind} unreadCount={counts?.[kind] ?? 0} onClose={onClose} />
    </Drawer>
  );
}

function Notices({ kind, unreadCount, onClose }: { kind: Kind; unreadCount: number; onClose(): void }) {
  const [unread, setUnread] = useState(false);
  const [size, setSize] = useState(STEP);
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const { rows, total, error, fetching, refetch } = useList(
    queryMyNoticeList,
    { kind, pageNo: 1, pageSize: size, ...(unread && { unread }) },
    { quiet: true },
  );
  const again = () => void refresh(queryUnreadCount, queryMyNoticeList);
  const read = useCommand(readNotice, { blockMs: 0, onSuccess: again });
  const readAll = useCommand(readAllNotice, { onSuccess: again });
  const choose = (notice: Notice) => {
    if (!notice.readAt) void read.run({ id: notice.id }, { quiet: true }).catch(() => null);
    if (notice.link) {
      const [path = '/', query = ''] = notice.link.split(/\?(.*)/s);
      onClose();
      goTo(path, parseSearch(query));
    } else setUnfolded(unfolded === notice.id ? null : notice.id);
  };
  return (
    <>
      <div className="id-bar">
        <label>
          <Switch size="small" checked={unread} onChange={setUnread} /> 只看未读
        </label>
        <Button size="small" type="link" disabled={unreadCount === 0 || readAll.busy} onClick={() => void readAll.run({ kind })}>
          全部标为已读
        </Button>
      </div>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !rows?.length ? (
        <TableEmpty loading={rows === undefined}>{unread ? '没有未读的通知' : nothing[kind]}</TableEmpty>
      ) : (
        <ul className="id-notices">
          {rows.map((notice) => (
            <li key={notice.id}>
              <button type="button" className="id-notice-head" onClick={() => choose(notice)}>
                <span className={notice.readAt ? 'id-dot' : 'id-dot id-unread'} aria-label={notice.readAt ? '已读' : '未读'} />
                <span className={notice.readAt ? 'id-notice-title' : 'id-notice-title id-unread'}>
                  {notice.level !== 'INFO' && <Dict of={noticeLevels} code={notice.level} />} {notice.title}
                </span>
                <Tooltip title={notice.link ? '点击前往' : '点击展开'}>
                  <span className="kq-muted">
                    <Time at={notice.publishAt} day />
                  </span>
                </Tooltip>
              </button>
              {unfolded === notice.id && <NoticeBody text={notice.body || '（无正文）'} />}
            </li>
          ))}
        </ul>
      )}
      {total > size && (
        <Button block type="link" loading={fetching} onClick={() => setSize(size + STEP)}>
          加载更多
        </Button>
      )}
    </>
  );
}
