import { useState } from 'react';
import { rateInquiry } from '../../../contract/calls/participants.ts';
import { ratingTags } from '../../../contract/dictionaries.ts';
import { sendMine } from '../access.ts';
import { useAction } from '../useAction.ts';
import { Sheet, type SheetProps } from './Sheet.tsx';

type Tag = (typeof ratingTags.codes)[number];
const WORDS = ['', '非常不满意', '不满意', '一般', '满意', '非常满意'];

/** Stars, tags and a word, once. */
export default function Rate({ inquiry, onClose, onMoved }: SheetProps) {
  const [stars, setStars] = useState(0);
  const [tags, setTags] = useState<readonly Tag[]>([]);
  const [text, setText] = useState('');
  const { busy, fault, setFault, run } = useAction();
  const submit = async () => {
    if (stars === 0) return setFault('请选择星级');
    if (
      await run(() =>
        sendMine(rateInquiry, { serverId: inquiry.serverId ?? '', stars, tags: [...tags], ...(text.trim() && { text: text.trim() }) }),
      )
    ) {
      onMoved();
      onClose();
    }
  };
  return (
    <Sheet
      title="评价本次问诊"
      onClose={onClose}
      footer={
        <button type="button" className="wx-primary" disabled={busy} onClick={() => void submit()}>
          提交评价
        </button>
      }
    >
      <div className="wx-stars" role="radiogroup" aria-label="星级">
        {[1, 2, 3, 4, 5].map((n) => (
          <button
            key={n}
            type="button"
            role="radio"
            aria-checked={stars === n}
            aria-label={`${n}星`}
            className={n <= stars ? 'wx-on' : undefined}
            onClick={() => (setStars(n), setFault(null))}
          >
            ★
          </button>
        ))}
        <span className="wx-muted">{WORDS[stars]}</span>
      </div>
      <div className="wx-tags">
        {ratingTags.codes.map((tag) => (
          <button
            key={tag}
            type="button"
            aria-pressed={tags.includes(tag)}
            className={tags.includes(tag) ? 'wx-chip wx-on' : 'wx-chip'}
            onClick={() => setTags(tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag])}
          >
            {ratingTags.label(tag)}
          </button>
        ))}
      </div>
      <textarea
        className="wx-field"
        rows={3}
        placeholder="说说您的感受（选填）"
        aria-label="评价内容"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {fault && (
        <p className="wx-fault" role="alert">
          {fault}
        </p>
      )}
    </Sheet>
  );
}
