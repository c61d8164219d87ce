import { serviceTypes, type UserRole } from '../../contract/dictionaries.ts';
import { groupConversation } from '../../contract/im/ids.ts';
import { inquiryMachine } from '../../contract/states.ts';
import type { Group } from './access.ts';
import { showTime } from './time.ts';

interface Props {
  groups: readonly Group[];
  unread: ReadonlyMap<string, number>;
  role: UserRole;
  chosen: string | null;
  onChoose(groupId: string): void;
}

/** The conversations of a doctor, or of a patient with several. */
export function GroupList({ groups, unread, role, chosen, onChoose }: Props) {
  return (
    <nav className="wx-groups" aria-label="我的会话">
      <h1>我的问诊</h1>
      {groups.length === 0 && <p className="wx-muted wx-pad">暂无会话</p>}
      {groups.map((group) => {
        const count = unread.get(groupConversation(group.groupId)) ?? 0;
        return (
          <button
            key={group.groupId}
            type="button"
            className="wx-group"
            aria-current={group.groupId === chosen}
            onClick={() => onChoose(group.groupId)}
          >
            <span className="wx-face" aria-hidden>
              {(role === 'DOCTOR' ? group.patientName : (group.doctorName ?? group.deskName ?? '导')).slice(0, 1)}
            </span>
            <span className="wx-group-text">
              <b>{role === 'DOCTOR' ? group.patientName : group.doctorName ? `${group.doctorName}医生` : group.deskName}</b>
              <span className="wx-muted">
                {group.serviceType && serviceTypes.label(group.serviceType)}
                {group.serverStatus && ` · ${inquiryMachine.states[group.serverStatus].label}`}
              </span>
            </span>
            <span className="wx-group-side">
              <time className="wx-muted">{group.lastMessageAt && showTime(Date.parse(group.lastMessageAt) / 1000)}</time>
              {count > 0 && <span className="wx-count">{count > 99 ? '99+' : count}</span>}
            </span>
          </button>
        );
      })}
    </nav>
  );
}
