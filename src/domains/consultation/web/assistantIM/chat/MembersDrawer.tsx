import { Button, Drawer } from 'antd';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { delGroupMember } from '../../../contract/calls/groups.ts';
import { roleOf } from '../../../contract/im/ids.ts';
import { useDesk, useDeskState, useGroup } from '../desk/useDesk.ts';
import { Face } from '../Face.tsx';

/** Everybody in the conversation, thirty at a time. */
export function MembersDrawer({ onClose }: { onClose(): void }) {
  const desk = useDesk();
  const group = useGroup();
  const members = useDeskState((state) => state.chat?.members ?? []);
  const offset = useDeskState((state) => state.chat?.memberOffset ?? 0);
  const online = useDeskState((state) => state.online);
  const assistant = useDeskState((state) => state.runtime?.assistant);
  const remove = useCommand(delGroupMember, { success: '已移出会话', blockMs: 500, onSuccess: () => void desk.chat.readMembers() });
  const mayRemove = group !== null && assistant !== undefined && (assistant.supervisor || group.ownerAssistantId === assistant.assistantId);
  const out = async (imUserId: string, nick: string) => {
    if (group && (await ask({ content: `确定将${nick}移出会话？`, facts: [{ label: '成员', value: nick }], danger: true })))
      await remove.run({ groupId: group.groupId, imUserId });
  };
  return (
    <Drawer open size={380} title="会话成员" onClose={onClose}>
      <ul className="im-members">
        {members.map((member) => (
          <li key={member.userID}>
            <Face name={member.nick} role={roleOf(member.userID) ?? 'ASSISTANT'} url={member.avatar} online={online.has(member.userID)} />
            <span>
              <b>{member.nick}</b>
              <small>
                {member.memberCustomField[0]?.value} · {online.has(member.userID) ? '在线' : '离线'}
                {member.muteUntil * 1000 > Date.now()
                  ? ` · 限制发言至 ${showInstant(new Date(member.muteUntil * 1000).toISOString()).slice(0, 16)}`
                  : ''}
              </small>
            </span>
            {group && assistant && member.userID === `A${assistant.operatorId}` && <em className="im-tag">我</em>}
            {mayRemove && roleOf(member.userID) === 'ASSISTANT' && member.userID !== `A${assistant.operatorId}` && (
              <button type="button" className="kq-link" disabled={remove.busy} onClick={() => void out(member.userID, member.nick)}>
                移出
              </button>
            )}
          </li>
        ))}
      </ul>
      {offset > 0 && (
        <Button block onClick={() => void desk.chat.moreMembers()}>
          加载更多
        </Button>
      )}
    </Drawer>
  );
}
