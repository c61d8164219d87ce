import { memo, type MouseEvent } from 'react';
import { inquiryMachine } from '../../../contract/states.ts';
import { digestPieces, type ListRow } from '../desk/listing.ts';
import { slaOf } from '../desk/sla.ts';
import { Face } from '../Face.tsx';
import { listTime } from '../times.ts';

export const ROW_HEIGHT = 76;

interface RowProps {
  row: ListRow;
  top: number;
  chosen: boolean;
  now: number;
  mine: string;
  onOpen(row: ListRow): void;
  onMenu(event: MouseEvent, row: ListRow): void;
}

/** One conversation: who, what it is about, what was said last, how long somebody waits. */
export const ConversationRow = memo(
  function ConversationRow({ row, top, chosen, now, mine, onOpen, onMenu }: RowProps) {
    const { group, conversation } = row;
    const { mark, text } = digestPieces(row);
    const unread = conversation?.unreadCount ?? 0;
    const muted = conversation !== null && conversation.remindType !== 'AcceptAndNotify';
    const sla = group && slaOf(group, now);
    const time = conversation?.lastMessageTime || (group?.lastMessageAt ? Date.parse(group.lastMessageAt) / 1000 : 0);
    return (
      <div
        role="option"
        aria-selected={chosen}
        className={`im-row${conversation?.isPinned ? ' im-pinned' : ''}${group?.crisis ? ' im-crisis' : ''}`}
        style={{ top, height: ROW_HEIGHT }}
        onClick={() => onOpen(row)}
        onContextMenu={(event) => onMenu(event, row)}
      >
        <span className="im-face-box">
          <Face
            name={group?.suffererName ?? row.name}
            role={row.id.startsWith('GROUPDZT') ? 'DESK' : 'PATIENT'}
            url={conversation?.userProfile?.avatar}
          />
          {unread > 0 ? (
            <em className={muted ? 'im-unread im-muted' : 'im-unread'} aria-label={`${unread > 99 ? '99+' : unread}条未读`}>
              {unread > 99 ? '99+' : unread}
            </em>
          ) : (
            conversation?.isMarked && <em className="im-dot" aria-label="标为未读" />
          )}
        </span>
        <span className="im-row-main">
          <span className="im-row-head">
            <b title={row.name}>{row.name}</b>
            <time>{listTime(time)}</time>
          </span>
          <span className="im-row-text">
            {mark && <em className="im-mark">{mark}</em>}
            <span>{text || '暂无消息'}</span>
            {muted && <i className="im-bell-off" title="免打扰" aria-label="免打扰" />}
          </span>
          <span className="im-row-tags">
            {group?.kind === 'DESK' && <i className="im-tag im-tag-desk">导诊台</i>}
            {row.id.startsWith('C2C') && <i className="im-tag">单聊</i>}
            {group?.serverStatus && (
              <i className={`im-tag im-tone-${inquiryMachine.dictionary.tone(group.serverStatus)}`}>
                {inquiryMachine.dictionary.label(group.serverStatus)}
              </i>
            )}
            {group && group.priority > 0 && (
              <i className={`im-tag ${group.priority === 2 ? 'im-tone-error' : 'im-tone-warning'}`}>
                {group.priority === 2 ? '紧急' : '优先'}
              </i>
            )}
            {group?.workState === 'QUEUED' && row.mode === 'MEMBER' && <i className="im-tag im-tone-warning">待接入</i>}
            {group?.workState === 'DONE' && <i className="im-tag im-tone-success">已处理</i>}
            {group && group.ownerAssistantId !== null && group.ownerAssistantId !== mine && (
              <i className="im-tag" title="责任医助">
                {group.ownerAssistantName}
              </i>
            )}
            {sla && <i className={`im-sla im-sla-${sla.tone}`}>{sla.text}</i>}
          </span>
        </span>
      </div>
    );
  },
  // The clock alone moves a row only where a limit runs down.
  (before, after) =>
    before.row.group === after.row.group &&
    before.row.conversation === after.row.conversation &&
    before.top === after.top &&
    before.chosen === after.chosen &&
    before.onOpen === after.onOpen &&
    before.onMenu === after.onMenu &&
    (before.now === after.now || !after.row.group?.slaDueAt),
);
