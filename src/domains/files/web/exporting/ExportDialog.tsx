import { Modal } from 'antd';
import { useState, type ReactNode } from 'react';

interface ExportDialogProps {
  title: string;
  width: number;
  /** `（12行）`, empty where the list does not count. */
  found: string;
  onClose(): void;
  /** Lasts as long as the export is on its way. */
  onExport(): Promise<void>;
  children: ReactNode;
}

/** What is asked before an export; its button says how much it brings. */
export function ExportDialog({ title, width, found, onClose, onExport, children }: ExportDialogProps) {
  const [busy, setBusy] = useState(false);
  const send = () => {
    setBusy(true);
    void onExport().finally(() => setBusy(false));
  };
  return (
    <Modal
      open
      title={title}
      width={width}
      onCancel={onClose}
      okText={`导出${found}`}
      cancelText="取消"
      confirmLoading={busy}
      onOk={send}
      mask={{ closable: false }}
    >
      {children}
    </Modal>
  );
}
