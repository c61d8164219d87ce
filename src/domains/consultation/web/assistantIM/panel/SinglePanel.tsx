import { useEffect, useState } from 'react';
import type { ImProfile } from '../../../contract/im/types.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from '../desk/choose.ts';
import { ownRows } from '../desk/listing.ts';
import { useDesk, useDeskState } from '../desk/useDesk.ts';
import { Face } from '../Face.tsx';
import { Block } from './Block.tsx';

/** A single chat: who it is, and the patient's groups. */
export function SinglePanel({ userID, onChoose }: { userID: string; onChoose(id: ConversationID, mode: Mode): void }) {
  const desk = useDesk();
  const conversations = useDeskState((state) => state.conversations);
  const groups = useDeskState((state) => state.groups);
  const online = useDeskState((state) => state.online.has(userID));
  const [profile, setProfile] = useState<ImProfile | null>(null);
  useEffect(() => {
    let gone = false;
    desk.client.getUserProfile({ userIDList: [userID] }).then(
      ({ data }) => !gone && setProfile(data[0] ?? null),
      () => {},
    );
    desk.client.subscribeUserStatus({ userIDList: [userID] }).catch(() => {});
    return () => void (gone = true);
  }, [desk, userID]);
  const rows = ownRows([...conversations.values()], groups).filter(({ group }) => group?.suffererOperatorId === userID.slice(1));
  return (
    <>
      <Block title="患者">
        <div className="im-doctor">
          <Face name={profile?.nick ?? '患者'} role="PATIENT" url={profile?.avatar} online={online} size={44} />
          <div>
            <b>{profile?.nick ?? '患者'}</b>
            <p className="kq-muted">{online ? '在线' : '离线'}</p>
          </div>
        </div>
      </Block>
      <Block title="该患者的会话">
        {rows.length === 0 ? (
          <p className="im-none">没有其他会话</p>
        ) : (
          <ul className="im-visits">
            {rows.map((row) => (
              <li key={row.id}>
                <button type="button" onClick={() => onChoose(row.id, row.mode)}>
                  <b>{row.name}</b>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Block>
    </>
  );
}
