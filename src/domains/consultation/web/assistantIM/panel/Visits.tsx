import { useData } from '#kernel/web/http/queries.ts';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { queryGroupsOfPatient } from '../../../contract/calls/groups.ts';
import { groupConversation } from '../../../contract/im/ids.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import { inquiryMachine } from '../../../contract/states.ts';
import type { Mode } from '../desk/choose.ts';
import { groupIdOf } from '../desk/listing.ts';
import { useDesk, useDeskState } from '../desk/useDesk.ts';
import { Failed } from '../Failed.tsx';

/** 历次问诊: each leads to where it began in its conversation. */
export function Visits({ patientId, onChoose }: { patientId: string; onChoose(id: ConversationID, mode: Mode): void }) {
  const desk = useDesk();
  const here = useDeskState((state) => (state.chat ? groupIdOf(state.chat.chosen.conversationID) : null));
  const { data, error, refetch } = useData(queryGroupsOfPatient, { patientId }, { quiet: true });
  if (error) return <Failed error={error} onRetry={() => refetch()} />;
  if (!data) return <p className="im-none">加载中…</p>;
  if (data.length === 0) return <p className="im-none">没有问诊记录</p>;
  const open = async ({ groupId, startSeq }: (typeof data)[number]) => {
    if (groupId !== here)
      onChoose(groupConversation(groupId), desk.store.getState().conversations.has(groupConversation(groupId)) ? 'MEMBER' : 'WATCH');
    if (startSeq !== null) await desk.chat.jumpWhenLoaded(Math.max(1, Number(startSeq)));
  };
  return (
    <ul className="im-visits">
      {data.map((row) => (
        <li key={`${row.groupId}${row.serverId}`}>
          <button
            type="button"
            disabled={!row.canOpen}
            title={row.canOpen ? '查看该次问诊的聊天' : '您没有该会话的查看权限'}
            onClick={() => void open(row)}
          >
            <b>{row.groupName}</b>
            <span className="kq-muted kq-number">
              {row.inquiryNo ?? '尚无问诊'}
              {row.lastMessageAt && (
                <>
                  {' '}
                  · <Time at={row.lastMessageAt} day />
                </>
              )}
            </span>
          </button>
          {row.serverStatus && <Dict of={inquiryMachine.dictionary} code={row.serverStatus} />}
        </li>
      ))}
    </ul>
  );
}
