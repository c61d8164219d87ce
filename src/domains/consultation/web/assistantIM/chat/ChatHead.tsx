import { copyText } from '#kernel/web/feedback/copy.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { PopMenu, type PopItem } from '#kernel/web/kit/PopMenu.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { roleOf } from '../../../contract/im/ids.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import { consultationPermissions as may } from '../../../contract/permissions.ts';
import { workMachine } from '../../../contract/states.ts';
import { useCalls } from '../../video/Calls.tsx';
import type { Mode } from '../desk/choose.ts';
import { nameOfConversation } from '../desk/listing.ts';
import { markDone, takeAndOpen } from '../desk/queueActions.ts';
import { useDesk, useDeskState, useGroup } from '../desk/useDesk.ts';
import { openDialog } from '../dialogs/open.ts';
import { Face } from '../Face.tsx';
import { MembersDrawer } from '../lazyDialogs.ts';
import { InquiryBar } from './InquiryBar.tsx';

const FACES = 5;

interface HeadProps {
  onSearch(): void;
  onChoose(id: ConversationID, mode: Mode): void;
}

/** Name, members, the inquiry, and what one may do with the conversation. */
export function ChatHead({ onSearch, onChoose }: HeadProps) {
  const desk = useDesk();
  const mayDo = useMay();
  const calls = useCalls();
  const chat = useDeskState((state) => state.chat)!;
  const assistant = useDeskState((state) => state.runtime?.assistant)!;
  const online = useDeskState((state) => state.online);
  const group = useGroup();
  const layers = useLayers();
  const { mode, conversationID } = chat.chosen;
  const isOwner = group?.ownerAssistantId === assistant.assistantId;
  const leads = assistant.supervisor;
  const mayAct = group !== null && (isOwner || leads);
  const patient = chat.members.find(({ userID }) => roleOf(userID) === 'PATIENT');
  const doctor = chat.members.find(({ userID }) => roleOf(userID) === 'DOCTOR');
  const openAs = (userID: string) => import('./openAs.ts').then((loaded) => loaded.openAs(userID, group?.groupId ?? null));
  const menuItems: PopItem[] =
    group === null
      ? []
      : [
          ...(isOwner && group.workState === 'SERVING'
            ? [
                { key: 'snooze', label: '稍后处理（Alt+S）', act: () => openDialog({ kind: 'snooze', group }) },
                { key: 'release', label: '退回队列', act: () => openDialog({ kind: 'release', group }) },
              ]
            : []),
          ...(isOwner && workMachine.canStart('done', group.workState)
            ? [{ key: 'doneNext', label: '处理并下一位（Alt+Shift+K）', act: () => void markDone(desk, group, true, onChoose) }]
            : []),
        ];
  const more: PopItem[] = [
    ...(mayAct && group
      ? [
          { key: 'tags', label: '标签', act: () => openDialog({ kind: 'tags', group }) },
          { key: 'priority', label: '优先级', act: () => openDialog({ kind: 'priority', group }) },
          { key: 'invite', label: '邀请协助', act: () => openDialog({ kind: 'invite', group }) },
          ...(workMachine.canStart('transfer', group.workState)
            ? [{ key: 'transfer', label: '转接（Alt+T）', act: () => openDialog({ kind: 'transfer', group }) }]
            : []),
          { key: 'mute', label: '限制发言', act: () => openDialog({ kind: 'mute', group }) },
        ]
      : []),
    ...(group && leads ? [{ key: 'policy', label: '患者发言规则', act: () => openDialog({ kind: 'policy', group }) }] : []),
    ...(group && mode === 'MEMBER' && mayDo(may['ticket.issue'])
      ? [{ key: 'tickets', label: '参与链接', act: () => openDialog({ kind: 'tickets', group }) }]
      : []),
    ...(group?.serverId && mayDo(may['visit.view'])
      ? [{ key: 'record', label: '就诊小结', act: () => goTo('/visitRecords', { serverId: group.serverId ?? '' }) }]
      : []),
    ...(patient && mode === 'MEMBER' && mayDo(may['inquiry.create'])
      ? [
          {
            key: 'inquiry',
            label: '代开问诊',
            divided: true,
            act: () =>
              openDialog({
                kind: 'inquiry',
                patient: { operatorId: patient.userID.slice(1), patientId: null, name: patient.nick },
                groupId: group?.kind === 'DESK' ? group.groupId : null,
              }),
          },
        ]
      : []),
    { key: 'copy', label: '复制会话地址', act: () => void copyText(location.href, '会话地址已复制') },
    ...(patient && group ? [{ key: 'single', label: '与患者单聊', act: () => onChoose(`C2C${patient.userID}`, 'MEMBER') }] : []),
    ...(mayDo(may['ticket.issue']) && mode === 'MEMBER' && desk.isDemo
      ? [
          ...(patient ? [{ key: 'asPatient', label: '以患者身份打开', divided: true, act: () => void openAs(patient.userID) }] : []),
          ...(doctor ? [{ key: 'asDoctor', label: '以医生身份打开', act: () => void openAs(doctor.userID) }] : []),
        ]
      : []),
  ];
  const name = chat.conversation ? nameOfConversation(chat.conversation) : (group?.groupName ?? conversationID.slice(3));
  return (
    <header className="im-head">
      <div className="im-head-line">
        <h2 title={name}>{name}</h2>
        {group && (
          <span className={`kq-dict kq-dict-${workMachine.dictionary.tone(group.workState)}`}>
            {workMachine.dictionary.label(group.workState)}
          </span>
        )}
        {mode !== 'MEMBER' && <span className="im-tag im-tone-warning">{mode === 'PREVIEW' ? '预览中' : '旁听中'}</span>}
        {group && group.tags.length > 0 && (
          <span className="im-head-tags" title={`标签：${group.tags.join('、')}`}>
            {group.tags.map((tag) => (
              <i key={tag} className="im-tag">
                {tag}
              </i>
            ))}
          </span>
        )}
        {chat.members.length > 0 && (
          <button
            type="button"
            className="im-faces"
            onClick={() => layers.open((close) => <MembersDrawer onClose={close} />)}
            aria-label={`成员 ${chat.conversation?.groupProfile?.memberCount ?? chat.members.length} 人`}
            title={chat.members.map(({ nick }) => nick).join('、')}
          >
            {chat.members.slice(0, FACES).map((member) => (
              <Face
                key={member.userID}
                name={member.nick}
                role={roleOf(member.userID) ?? 'ASSISTANT'}
                url={member.avatar}
                online={online.has(member.userID)}
                size={24}
              />
            ))}
            <span>{chat.conversation?.groupProfile?.memberCount ?? chat.members.length}人</span>
          </button>
        )}
        <span className="im-grow" />
        {group?.canTake && (
          <button type="button" className="im-act im-act-main" onClick={() => void takeAndOpen(desk, group.groupId, onChoose)}>
            接入
          </button>
        )}
        {group && !isOwner && leads && (
          <button type="button" className="im-act" onClick={() => openDialog({ kind: 'takeover', group })}>
            接管
          </button>
        )}
        {group && isOwner && workMachine.canStart('done', group.workState) && (
          <button type="button" className="im-act im-act-main" title="Alt+K" onClick={() => void markDone(desk, group, false, onChoose)}>
            标记已处理
          </button>
        )}
        {menuItems.length > 0 && (
          <PopMenu label="处理方式" className="im-act" items={menuItems}>
            处理 ▾
          </PopMenu>
        )}
        {calls && group && mode === 'MEMBER' && mayDo(may['video.call']) && (
          <button type="button" className="im-act" onClick={() => calls.call(group.groupId)}>
            视频
          </button>
        )}
        <button type="button" className="im-act" title="搜索聊天记录（Alt+/）" onClick={onSearch}>
          搜索
        </button>
        {more.length > 0 && (
          <PopMenu label="更多操作" className="im-act" items={more}>
            更多 ▾
          </PopMenu>
        )}
      </div>
      {group && <InquiryBar group={group} />}
      {layers.shown}
    </header>
  );
}
