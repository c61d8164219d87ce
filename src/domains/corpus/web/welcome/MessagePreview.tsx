import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryMaterialDetail } from '../../contract/materials/calls.ts';
import { exampleValues, fillText } from '../../contract/materials/text.ts';
import { PhoneBubble } from '../materials/PhonePreview.tsx';

function Material({ id }: { id: string }) {
  const detail = useData(queryMaterialDetail, { id }, { quiet: true, fresh: 30_000 });
  const { data } = detail;
  if (!data) return <Waiting for={detail} />;
  const shown = data.current ?? data.draft;
  return shown ? <PhoneBubble content={shown.content} facts={shown.facts} pictureUrl={shown.pictureUrl} /> : null;
}

/** What a patient gets: the messages in their order, and the text message that stands for them where there is no conversation. */
export default function MessagePreview({ materialIds, smsText }: { materialIds: readonly string[]; smsText: string | null }) {
  return (
    <div className="kq-phone" aria-label="手机预览">
      {materialIds.length === 0 && <p className="kq-muted">选择素材后显示预览</p>}
      {materialIds.map((id) => (
        <Material key={id} id={id} />
      ))}
      {smsText && (
        <>
          <p className="kq-muted">无会话时发送短信</p>
          <div className="kq-phone-bubble">{fillText(smsText, exampleValues)}</div>
        </>
      )}
    </div>
  );
}
