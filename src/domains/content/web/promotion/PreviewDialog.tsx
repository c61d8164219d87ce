import { Button, Modal, Space } from 'antd';
import { useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { previewPromotionTag } from '../../contract/promotion/calls.ts';
import { hiddenReasons } from '../../contract/promotion/card.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { MedicineCard, TagFace } from './Card.tsx';

function Preview({ medicineNo }: { medicineNo: string }) {
  const { data, error, refetch } = useData(previewPromotionTag, { medicineNo }, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-empty">加载中…</div>;
  return (
    <>
      <MedicineCard name={data.name} tags={data.shown} />
      {data.shown.length === 0 && <p className="kq-muted">该药品的卡片上没有促销标签</p>}
      {data.hidden.map(({ tag, reason }) => (
        <p key={tag.id}>
          <TagFace {...tag} /> {tag.markName} <span className="kq-muted">未展示：{hiddenReasons[reason]}</span>
        </p>
      ))}
    </>
  );
}

/** Dialog 卡片预览: the card of a medicine as customers see it now. */
export function PreviewDialog({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const ask = () => setAsked(typed.trim());
  return (
    <Modal open title="卡片预览" width={480} footer={null} onCancel={onClose} destroyOnHidden>
      <Space.Compact block style={{ marginBottom: 12 }}>
        <TextInput
          aria-label="药品编号"
          placeholder="请输入药品编号"
          most={40}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onPressEnter={ask}
        />
        <Button type="primary" disabled={typed.trim() === ''} onClick={ask}>
          预览
        </Button>
      </Space.Compact>
      {asked !== '' && <Preview key={asked} medicineNo={asked} />}
    </Modal>
  );
}
