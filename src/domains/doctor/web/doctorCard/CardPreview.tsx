import { Button, Modal } from 'antd';
import { useState } from 'react';
import { copyText } from '../../../../kernel/web/feedback/copy.ts';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { download } from '../../../../kernel/web/http/download.ts';
import { refresh, useData } from '../../../../kernel/web/http/queries.ts';
import { RefusalError, TransportError } from '../../../../kernel/web/http/refusal.ts';
import { Waiting } from '../../../../kernel/web/kit/TableState.tsx';
import { downloadDoctorCard, previewDoctorCard, queryDoctorCardList, type CardRow } from '../../contract/cardCalls.ts';
import '../staffing/staffing.css';

/** Card and poster as they were made, the poster in the frame of a phone. */
export function CardPreview({ row, onClose }: { row: CardRow; onClose(): void }) {
  const preview = useData(previewDoctorCard, { doctorId: row.id }, { quiet: true });
  const { data } = preview;
  const [busy, setBusy] = useState(false);
  const save = async (part: 'CARD' | 'POSTER') => {
    setBusy(true);
    try {
      await download(downloadDoctorCard, { doctorId: row.id, part });
      toast('已下载');
      void refresh(queryDoctorCardList);
    } catch (failure) {
      // The error law has said why.
      if (!(failure instanceof RefusalError) && !(failure instanceof TransportError)) throw failure;
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      width={820}
      title={`名片：${row.doctorName}${row.state === 'STALE' ? '（资料已变更，将自动更新）' : ''}`}
      footer={null}
      onCancel={onClose}
    >
      {!data ? (
        <Waiting for={preview} />
      ) : (
        <div className="st-preview">
          <div className="st-phone">
            <img src={data.poster} alt={`${row.doctorName}的海报`} />
          </div>
          <div>
            <img src={data.card} alt={`${row.doctorName}的名片`} />
            {data.link && <p className="kq-number">{data.link}</p>}
            <p>
              <Button disabled={busy} onClick={() => void save('POSTER')}>
                下载海报
              </Button>{' '}
              <Button disabled={busy} onClick={() => void save('CARD')}>
                下载名片
              </Button>{' '}
              {data.link && <Button onClick={() => void copyText(data.link ?? '', '已复制链接')}>复制链接</Button>}
            </p>
          </div>
        </div>
      )}
    </Modal>
  );
}
