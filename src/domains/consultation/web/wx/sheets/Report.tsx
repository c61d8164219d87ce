import { useRef, useState } from 'react';
import { instantOf } from '#kernel/contract/time.ts';
import { inspectionKinds, type InspectionKind } from '#domains/patient/contract/dictionaries.ts';
import { uploadInspection } from '../../../contract/calls/participants.ts';
import { cardPayload } from '../../../contract/im/cards.ts';
import { sendMine } from '../access.ts';
import { uploadMine } from '../openClient.ts';
import { useAction } from '../useAction.ts';
import { Sheet, type SheetProps } from './Sheet.tsx';

const MOST = 9;
const today = () => instantOf(Date.now() + 8 * 3_600_000).slice(0, 10);

/** 补充资料: a report goes into the record, and the chat shows that it came. */
export default function Report({ group, model, requestId, onClose, onMoved }: SheetProps & { requestId: string | undefined }) {
  const [kind, setKind] = useState<InspectionKind>('LAB');
  const [itemName, setItemName] = useState('');
  const [day, setDay] = useState(today);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [share, setShare] = useState<number | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const { busy, fault, setFault, run } = useAction();
  const submit = async () => {
    if (itemName.trim() === '') return setFault('请填写检查项目');
    if (files.length === 0) return setFault('请上传检查资料');
    const done = await run(async () => {
      const fileIds: string[] = [];
      for (const file of files)
        fileIds.push(await uploadMine(group.groupId, 'REPORT', file, (part) => setShare((fileIds.length + part) / files.length)));
      const { inspectionId } = await sendMine(uploadInspection, {
        groupId: group.groupId,
        kind,
        itemName: itemName.trim(),
        inspectionTime: `${day}T00:00:00+08:00`,
        fileIds,
        ...(requestId !== undefined && { requestId }),
      });
      await model.custom(cardPayload({ businessID: 'inspection_result', v: 1, inspectionId, name: itemName.trim(), abnormalCount: 0 }));
    });
    setShare(null);
    if (!done) return;
    onMoved();
    onClose();
  };
  return (
    <Sheet
      title="补充资料"
      onClose={onClose}
      footer={
        <button type="button" className="wx-primary" disabled={busy} onClick={() => void submit()}>
          {share === null ? '提交' : `上传中 ${Math.floor(share * 100)}%`}
        </button>
      }
    >
      <label className="wx-label">
        检查类型
        <select className="wx-field" value={kind} onChange={(event) => setKind(event.target.value as InspectionKind)}>
          {inspectionKinds.codes.map((code) => (
            <option key={code} value={code}>
              {inspectionKinds.label(code)}
            </option>
          ))}
        </select>
      </label>
      <label className="wx-label">
        检查项目
        <input
          className="wx-field"
          value={itemName}
          placeholder="例如：血常规、胸部CT"
          onChange={(event) => (setItemName(event.target.value), setFault(null))}
        />
      </label>
      <label className="wx-label">
        检查日期
        <input className="wx-field" type="date" max={today()} value={day} onChange={(event) => setDay(event.target.value || today())} />
      </label>
      <div className="wx-files">
        {files.map((file, index) => (
          <span key={`${file.name}-${index}`} className="wx-chip">
            {file.name}
            <button
              type="button"
              className="wx-cross"
              aria-label={`移除${file.name}`}
              onClick={() => setFiles(files.filter((one) => one !== file))}
            >
              ✕
            </button>
          </span>
        ))}
        {files.length < MOST && (
          <button type="button" className="wx-plain" onClick={() => chooser.current?.click()}>
            ＋ 添加图片或PDF
          </button>
        )}
      </div>
      <input
        ref={chooser}
        hidden
        type="file"
        multiple
        accept=".jpg,.jpeg,.png,.pdf"
        onChange={(event) => (
          setFiles([...files, ...(event.target.files ?? [])].slice(0, MOST)),
          setFault(null),
          (event.target.value = '')
        )}
      />
      {fault && (
        <p className="wx-fault" role="alert">
          {fault}
        </p>
      )}
    </Sheet>
  );
}
