import { BellOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { lazyDrawer } from '#kernel/web/kit/lazyDialog.tsx';
import { useTopic } from '#kernel/web/realtime/socket.ts';
import { queryMyNoticeList, queryUnreadCount } from '../../contract/calls/notices.ts';
import './shell.css';

const NoticeDrawer = lazyDrawer(
  async () => (await import('./NoticeDrawer.tsx')).default,
  ({ open }) => open,
);

/** Pushes say when something is new; this is the net below them. */
const ASK_EVERY_MS = 60_000;
const MOST = 99;

/** The bell of the header with the count of unread notices. */
export default function Bell() {
  const [open, setOpen] = useState(false);
  const { data } = useData(queryUnreadCount, {}, { every: ASK_EVERY_MS, quiet: true });
  const again = () => void refresh(queryUnreadCount, queryMyNoticeList);
  useTopic('notice', again);
  useTopic('connected', again);
  const total = data?.total ?? 0;
  return (
    <>
      <button
        type="button"
        className="kq-icon id-bell"
        title="通知"
        aria-label={total ? `通知，${total}条未读` : '通知'}
        onClick={() => setOpen(true)}
      >
        <BellOutlined />
        {total > 0 && <span className="id-bell-count">{total > MOST ? `${MOST}+` : total}</span>}
      </button>
      <NoticeDrawer open={open} counts={data} onClose={() => setOpen(false)} />
    </>
  );
}
