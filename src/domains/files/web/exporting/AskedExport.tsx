import { useState } from 'react';
import type { ExportChoice } from '#kernel/web/files/places.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { queryExportColumns } from '../../contract/calls/exports.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { ExportOptions, firstChoice, isChosen } from './ExportOptions.tsx';

interface AskedExportProps {
  source: string;
  sensitive: boolean;
  found: string;
  onClose(): void;
  onExport(choice: ExportChoice): Promise<void>;
}

/** An export whose columns are named by what is shown. */
export function AskedExport({ source, sensitive, found, onClose, onExport }: AskedExportProps) {
  const { data: facts } = useData(queryExportColumns, { source });
  const [choice, setChoice] = useState(firstChoice);
  return (
    <ExportDialog
      title="导出"
      width={480}
      found={found}
      onClose={onClose}
      onExport={async () => {
        if (isChosen(choice)) await onExport({ ...choice, reason: choice.plain ? choice.reason.trim() : '' });
      }}
    >
      <p className="kq-muted">按当前结果的列、条件与顺序导出{found}，超过5000行时在后台生成，完成后在下载中心下载。</p>
      <ExportOptions value={choice} onChange={setChoice} mayPlain={sensitive && (facts?.mayPlain ?? false)} />
    </ExportDialog>
  );
}
