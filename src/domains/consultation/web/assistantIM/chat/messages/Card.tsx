import { lazy, Suspense } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { cardLabels, type AnyCard } from '../../../../contract/im/cards.ts';
import { inquiryMachine } from '../../../../contract/states.ts';
import type { ImMessage } from '../../../../contract/im/types.ts';
import { useCalls } from '../../../video/Calls.tsx';
import { spanText } from '../../desk/sla.ts';

/** A text of one item of a card, which may be a text itself or an object with one of these names. */
const textOf = (value: unknown, ...names: string[]): string => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const facts = value as Record<string, unknown>;
  return names.map((name) => facts[name]).find((text): text is string => typeof text === 'string') ?? '';
};

const SuggestionState = lazy(() => import('./SuggestionState.tsx'));

const ACTIONS: Readonly<Record<string, string>> = {
  start: '发起了视频通话',
  end: '视频通话已结束',
  miss: '视频通话无人接听',
  reject: '已拒绝视频通话',
  cancel: '已取消视频通话',
  fail: '视频通话异常中断',
};

function body(card: AnyCard) {
  switch (card.businessID) {
    case 'medicine_suggestion':
      return (
        <>
          <ul>
            {card.medicines.slice(0, 5).map((medicine, index) => (
              <li key={index}>
                {textOf(medicine, 'medicineName', 'name')} <small>{textOf(medicine, 'spec')}</small>
              </li>
            ))}
          </ul>
          <footer>
            <span>
              {card.doctorName}医生 · {card.suggestNo}
            </span>
            <Suspense fallback={null}>
              <SuggestionState suggestNo={card.suggestNo} />
            </Suspense>
          </footer>
        </>
      );
    case 'order_card':
      return (
        <>
          <p>{card.goodsSummary}</p>
          <footer>
            <span>{card.orderNo}</span>
            <b className="kq-number">¥{yuan(card.payableAmount)}</b>
          </footer>
        </>
      );
    case 'inspection_request':
      return (
        <>
          <ul>
            {card.items.slice(0, 8).map((item, index) => (
              <li key={index}>{textOf(item, 'itemName', 'name')}</li>
            ))}
          </ul>
          {card.dueOn && (
            <footer>
              <span>请于 {card.dueOn} 前上传</span>
            </footer>
          )}
        </>
      );
    case 'inspection_result':
      return (
        <>
          <p>{card.name}</p>
          <footer>
            <span className={card.abnormalCount > 0 ? 'kq-danger' : 'kq-muted'}>
              {card.abnormalCount > 0 ? `${card.abnormalCount} 项异常` : '未见异常'}
            </span>
          </footer>
        </>
      );
    case 'doctor_card':
      return (
        <>
          <p>
            <b>{card.doctorName}</b>医生
          </p>
          <p className="kq-muted">{card.hospitalName}</p>
          <footer>
            <span>{card.feeFen > 0 ? '咨询费' : '免费'}</span>
            <b className="kq-number">¥{yuan(card.feeFen)}</b>
          </footer>
        </>
      );
    case 'inquiry_status':
      return (
        <>
          <p>{card.text}</p>
          <footer>
            <span className={`kq-dict kq-dict-${inquiryMachine.dictionary.tone(card.to)}`}>{inquiryMachine.dictionary.label(card.to)}</span>
          </footer>
        </>
      );
    case 'visit_summary':
      return (
        <>
          <p>{card.diagnoses.map((diagnosis) => textOf(diagnosis, 'name')).join('、') || '未填写诊断'}</p>
          {card.advice && <p className="kq-muted">{card.advice}</p>}
        </>
      );
    case 'video_call':
      return (
        <p>
          {ACTIONS[card.action] ?? card.action}
          {card.talkSec ? ` ${spanText(card.talkSec)}` : ''}
        </p>
      );
    case 'follow_up':
      return (
        <>
          <p>
            <b>{card.title}</b>
          </p>
          <p>{card.body}</p>
          {card.link && (
            <footer>
              <a href={card.link} target="_blank" rel="noreferrer noopener">
                查看
              </a>
            </footer>
          )}
        </>
      );
    default:
      return null;
  }
}

/** A typed card of the chat. */
export function Card({ card }: { card: AnyCard; message: ImMessage }) {
  const calls = useCalls();
  return (
    <article className={`im-card im-card-${card.businessID}`}>
      <h4>{cardLabels[card.businessID]}</h4>
      {body(card)}
      {calls && card.businessID === 'video_call' && card.action === 'start' && (
        <footer>
          <button type="button" className="im-act" onClick={() => calls.join(String(card.roomId))}>
            加入通话
          </button>
        </footer>
      )}
      {card.businessID === 'visit_summary' && (
        <footer>
          <PageLink to="/visitRecords">查看就诊记录</PageLink>
        </footer>
      )}
    </article>
  );
}
