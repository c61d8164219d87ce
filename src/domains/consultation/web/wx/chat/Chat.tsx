import { useEffect, useState, useSyncExternalStore } from 'react';
import { queryMyInquiry } from '../../../contract/calls/participants.ts';
import type { CallCenter } from '../../video/center.ts';
import { sendMine, type Group } from '../access.ts';
import type { WxClient } from '../openClient.ts';
import type { Inquiry, SheetName } from '../sheets/Sheet.tsx';
import { ChatModel } from './chatModel.ts';
import { Composer } from './Composer.tsx';
import { InquiryBar } from './InquiryBar.tsx';
import { MessageList } from './MessageList.tsx';
import { Sheets } from './Sheets.tsx';

const OVER = '问诊已结束，如需继续咨询请重新购买服务';

interface Props {
  client: WxClient;
  center: CallCenter;
  group: Group;
  online: boolean;
  onBack: (() => void) | null;
  /** State of the inquiry moved: the list shows it too. */
  onChanged(): void;
}

function useModel(client: WxClient, groupId: string): ChatModel | null {
  const [model, setModel] = useState<ChatModel | null>(null);
  useEffect(() => {
    const made = new ChatModel(client, groupId);
    setModel(made);
    return () => made.stop();
  }, [client, groupId]);
  return model;
}

/** One conversation: who, where the inquiry stands, what was said, what may be done. */
export function Chat(props: Props) {
  const model = useModel(props.client, props.group.groupId);
  return model && <Opened {...props} model={model} />;
}

function Opened({ client, center, group, online, onBack, onChanged, model }: Props & { model: ChatModel }) {
  const picture = useSyncExternalStore(model.subscribe, model.snapshot);
  const [inquiry, setInquiry] = useState<Inquiry | null>(null);
  const [sheet, setSheet] = useState<SheetName | null>(null);
  const last = picture.messages.at(-1)?.sequence ?? 0;
  const read = () => void sendMine(queryMyInquiry, { groupId: group.groupId }).then(setInquiry, () => {});
  // Every message may move rounds or state.
  useEffect(read, [group.groupId, last]);
  const moved = () => (read(), onChanged());
  const isDoctor = group.userRole === 'DOCTOR';
  const isDesk = group.deskName !== null;
  const live = inquiry?.serverStatus != null && ['1', '2', '3'].includes(inquiry.serverStatus);
  const closed = !isDoctor && !isDesk && inquiry !== null && !live;
  return (
    <section className="wx-chat" aria-label={group.groupName}>
      <header className="wx-head">
        {onBack && (
          <button type="button" className="wx-back" aria-label="返回" onClick={onBack}>
            ‹
          </button>
        )}
        <div className="wx-head-text">
          <b>{isDoctor ? group.patientName : group.doctorName ? `${group.doctorName}医生` : group.deskName}</b>
          <span>
            {isDoctor
              ? inquiry?.patient &&
                [
                  inquiry.patient.gender === 1 ? '男' : inquiry.patient.gender === 2 ? '女' : '',
                  inquiry.patient.age === null ? '' : `${inquiry.patient.age}岁`,
                ]
                  .filter(Boolean)
                  .join(' ')
              : [group.titleName, group.hospitalName].filter(Boolean).join(' · ')}
          </span>
        </div>
        {isDoctor && (live || isDesk) && (
          <button type="button" className="wx-head-button" onClick={() => center.call(group.groupId)}>
            视频
          </button>
        )}
        {isDoctor && (
          <button type="button" className="wx-head-button" onClick={() => setSheet({ name: 'patient' })}>
            患者资料
          </button>
        )}
      </header>
      {!online && (
        <p className="wx-offline" role="status">
          网络已断开，正在重连…
        </p>
      )}
      {inquiry && <InquiryBar group={group} inquiry={inquiry} onMoved={moved} onSheet={setSheet} />}
      <MessageList
        client={client}
        model={model}
        picture={picture}
        group={group}
        inquiry={inquiry}
        onJoin={(roomId) => void center.join(roomId)}
        onSheet={setSheet}
        onMoved={moved}
      />
      {picture.fault && (
        <p className="wx-fault wx-pad" role="alert" onClick={model.dismiss}>
          {picture.fault}
        </p>
      )}
      {closed ? (
        <footer className="wx-closed">{OVER}</footer>
      ) : (
        <Composer model={model} onSheet={setSheet} group={group} hasInquiry={live} />
      )}
      {sheet && <Sheets sheet={sheet} group={group} inquiry={inquiry} model={model} onClose={() => setSheet(null)} onMoved={moved} />}
    </section>
  );
}
