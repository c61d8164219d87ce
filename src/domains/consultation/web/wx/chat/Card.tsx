import { yuan } from '#kernel/contract/money.ts';
import { frequencies } from '#domains/patient/contract/dictionaries.ts';
import { cardLabels, cardOf, type AnyCard } from '../../../contract/im/cards.ts';
import type { CustomPayload, ImMessage } from '../../../contract/im/types.ts';
import type { Group } from '../access.ts';
import type { Inquiry, SheetName } from '../sheets/Sheet.tsx';

interface Props {
  message: ImMessage;
  payload: CustomPayload;
  group: Group;
  inquiry: Inquiry | null;
  onJoin(roomId: string): void;
  onSheet(sheet: SheetName): void;
}

interface Taken {
  medicineName?: string;
  spec?: string;
  dose?: string;
  frequency?: string;
  route?: string;
  days?: number;
  quantity?: number;
  unit?: string;
}
const frequency = (code: string | undefined) =>
  code === undefined ? '' : frequencies.codes.some((known) => known === code) ? frequencies.label(code as 'QD') : code;
const button = (label: string, act: () => void) => (
  <button type="button" className="wx-small wx-main" onClick={act}>
    {label}
  </button>
);

/** Items of a request are texts, or carry one. */
const nameOf = (item: unknown): string =>
  typeof item === 'string' ? item : typeof item === 'object' && item !== null && 'name' in item ? String(item.name) : '';

function content(card: AnyCard, { group, inquiry, onJoin, onSheet }: Props) {
  const isPatient = group.userRole === 'PATIENT';
  switch (card.businessID) {
    case 'medicine_suggestion':
      return (
        <>
          <p className="wx-muted">{card.doctorName}医生</p>
          <ul>
            {(card.medicines as Taken[]).map((taken, index) => (
              <li key={index}>
                <b>{taken.medicineName}</b> {taken.spec} ×{taken.quantity}
                {taken.unit}
                <br />
                <span className="wx-muted">
                  每次{taken.dose}，{frequency(taken.frequency)}，{taken.route}，{taken.days}天
                </span>
              </li>
            ))}
          </ul>
        </>
      );
    case 'order_card':
      return (
        <>
          <p>{card.goodsSummary}</p>
          <p>应付 ¥{yuan(card.payableAmount)}</p>
          <p className="wx-muted">订单号 {card.orderNo}</p>
        </>
      );
    case 'inspection_request':
      return (
        <>
          <ul>
            {card.items.map((item, index) => (
              <li key={index}>{nameOf(item)}</li>
            ))}
          </ul>
          {card.dueOn && <p className="wx-muted">请于{card.dueOn}前上传</p>}
          {isPatient && button('上传资料', () => onSheet({ name: 'report', requestId: card.requestId }))}
        </>
      );
    case 'inspection_result':
      return (
        <>
          <p>{card.name}</p>
          <p className={card.abnormalCount > 0 ? 'wx-fault' : 'wx-muted'}>
            {card.abnormalCount > 0 ? `${card.abnormalCount}项异常` : '已收到'}
          </p>
        </>
      );
    case 'doctor_card':
      return (
        <>
          <p>
            <b>{card.doctorName}医生</b>
          </p>
          <p className="wx-muted">{card.hospitalName}</p>
          <p>¥{yuan(card.feeFen)}</p>
          {isPatient && card.payUrl && (
            <a className="wx-small wx-main" href={card.payUrl}>
              立即咨询
            </a>
          )}
        </>
      );
    case 'inquiry_status':
      return (
        <>
          <p>{card.text}</p>
          {isPatient &&
            inquiry?.serverId === card.serverId &&
            card.to === '4' &&
            inquiry.allowedActions.includes('rate') &&
            button('评价', () => onSheet({ name: 'rate' }))}
        </>
      );
    case 'visit_summary':
      return (
        <>
          <p>
            {(card.diagnoses as { name?: string }[])
              .map(({ name }) => name)
              .filter(Boolean)
              .join('、')}
          </p>
          <p className="wx-muted">{card.advice}</p>
          {inquiry?.record && button('查看', () => onSheet({ name: 'record' }))}
        </>
      );
    case 'video_call':
      return (
        <>
          <p>{card.action === 'start' ? '发起了视频通话' : '视频通话已结束'}</p>
          {card.action === 'start' && button('加入通话', () => onJoin(String(card.roomId)))}
        </>
      );
    case 'follow_up':
      return (
        <>
          <p>
            <b>{card.title}</b>
          </p>
          <p>{card.body}</p>
          {card.link && (
            <a className="wx-small wx-main" href={card.link}>
              {card.questionnaireId ? '填写问卷' : '查看'}
            </a>
          )}
        </>
      );
    case 'user_typing_status':
      return null;
  }
}

/** A card of the product; one that this page does not know says so. */
export function Card(props: Props) {
  const card = cardOf(props.payload);
  if (!card) return <div className="wx-text wx-muted">[暂不支持的消息]</div>;
  return (
    <div className="wx-card">
      <header>{cardLabels[card.businessID]}</header>
      {content(card, props)}
    </div>
  );
}
