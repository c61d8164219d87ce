import { Modal } from 'antd';
import { CopyLink } from './CopyLink.tsx';
import { SIGN_LINK_NOTE } from './texts.ts';

/** The link under which the insured person signs, to be copied and sent. */
export function LinkDialog({ contractNo, link, onClose }: { contractNo: string; link: string; onClose(): void }) {
  return (
    <Modal open title={`签署链接 ${contractNo}`} footer={null} width={560} onCancel={onClose}>
      <p>{SIGN_LINK_NOTE}</p>
      <CopyLink link={link} />
    </Modal>
  );
}
