import { Modal } from 'antd';
import type { ReactNode } from 'react';

interface ExportDialogProps {
  title: string;
  width: number;
  busy: boolean;
  /** `（12行）`, empty where the list does not count. */
  found: string;
  onClose(): void;
  onExport(): void;
  children: ReactNode;
}

/** What is asked before an export; its button says how much it brings. */
export const ExportDialog = ({ title, width, busy, found, onClose, onExport, children }: ExportDialogProps) => (
  <Modal
    open
    title={title}
    width={width}
    onCancel={onClose}
    okText={`导出${found}`}
    cancelText="取消"
    confirmLoading={busy}
    onOk={onExport}
    mask={{ closable: false }}
  >
    {children}
  </Modal>
);
