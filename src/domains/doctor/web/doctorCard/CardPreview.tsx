import { Button, Modal } from 'antd';
import { copyText } from '#kernel/web/feedback/copy.ts';
import { useSaveFile } from '#kernel/web/files/saveFile.ts';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { downloadDoctorCard, previewDoctorCard, queryDoctorCardList, type CardRow } from '../../contract/calls/cards.ts';
import '../staffing/staffing.css';

/** Card and poster as they were made, the poster in the frame of a phone. */
export function CardPreview({ row, onClose }: { row: CardRow; onClose(): void }) {
  const preview = useData(previewDoctorCard, { doctorId: row.id }, { quiet: true });
  const { data } = preview;
  const file = useSaveFile(downloadDoctorCard, { success: '已下载' });
  const save = async (part: 'CARD' | 'POSTER') => {
    if (await file.save({ doctorId: row.id, part })) void refresh(queryDoctorCardList);
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
              <Button disabled={file.busy} onClick={() => void save('POSTER')}>
                下载海报
              </Button>{' '}
              <Button disabled={file.busy} onClick={() => void save('CARD')}>
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
