import { Alert, Button, Drawer, Radio, Skeleton } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import type { ImportWizardProps, UploadedFile } from '#kernel/web/files/places.ts';
import { saveFile } from '#kernel/web/files/saveFile.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { StepBar } from '#kernel/web/kit/StepBar.tsx';
import {
  addImportTask,
  cancelImportTask,
  commitImportTask,
  downloadImportTemplate,
  queryImporter,
  queryImportTaskList,
  revalidateImportTask,
} from '../../contract/calls/imports.ts';
import { importModes } from '../../contract/dictionaries.ts';
import Upload from '../uploading/Upload.tsx';
import '../files.css';
import { CheckStep, Rows } from './CheckStep.tsx';
import { Counts } from './Counts.tsx';
import { EndStep } from './EndStep.tsx';
import { isBusy, useImportTask } from './useImportTask.ts';

const TITLES = ['下载模板', '上传文件', '校验结果', '预览', '提交', '完成'];
const [TEMPLATE, UPLOAD, CHECK, PREVIEW, SUBMIT, END] = [0, 1, 2, 3, 4, 5] as const;

/** Step on which a task stands by itself; the operator may go between check, preview and submit. */
const stepOf = (state: string, chosen: number): number => {
  if (state === 'VALIDATING') return CHECK;
  if (state === 'COMMITTING') return SUBMIT;
  if (state === 'FAILED') return SUBMIT;
  return ['DONE', 'UNDONE', 'CANCELLED'].includes(state) ? END : Math.min(SUBMIT, Math.max(CHECK, chosen));
};

/** Template, upload, check, preview, commit; closing keeps the task in the download centre. */
export default function ImportWizard({ importerCode, open, onClose, params, importTaskId, onChanged }: ImportWizardProps) {
  const [taskId, setTaskId] = useState<string | null>(importTaskId ?? null);
  const [chosen, setChosen] = useState<number>(TEMPLATE);
  const [files, setFiles] = useState<readonly UploadedFile[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [mode, setMode] = useState<'ALL_OR_NOTHING' | 'VALID_ONLY'>('ALL_OR_NOTHING');
  const { data: importer, error } = useData(queryImporter, { importerCode });
  const { task, refetch } = useImportTask(taskId);
  const changed = () => (void refetch(), onChanged?.());
  // The rows are there only once the job has written them.
  const notifyChanged = useRef(onChanged);
  notifyChanged.current = onChanged;
  const ended = task?.state === 'DONE' || task?.state === 'UNDONE' ? `${task.importTaskId}:${task.state}` : null;
  useEffect(() => {
    if (ended) notifyChanged.current?.();
  }, [ended]);
  const refreshes = [queryImportTaskList];
  const add = useCommand(addImportTask, {
    refreshes,
    blockMs: 1_000,
    onSuccess: ({ data }) => (setTaskId(data.importTaskId), setChosen(CHECK)),
  });
  const commit = useCommand(commitImportTask, { refreshes, onSuccess: changed });
  const revalidate = useCommand(revalidateImportTask, { refreshes, onSuccess: () => (setChosen(CHECK), changed()) });
  const cancel = useCommand(cancelImportTask, { refreshes, onSuccess: () => (startAnew(), onChanged?.()) });
  const step = task ? stepOf(task.state, chosen) : Math.min(chosen, UPLOAD);

  function startAnew() {
    setTaskId(null);
    setFiles([]);
    setChosen(UPLOAD);
  }
  /** What is wrong with the file stays in sight until another one is chosen. */
  const start = async () => {
    if (!files[0]) return;
    try {
      await add.run({ importerCode, fileId: files[0].fileId, mode, params: { ...params } }, { quiet: true });
    } catch (failure) {
      setFault(failureText(failure));
    }
  };
  const submit = async () => {
    if (!task) return;
    const partial = task.state === 'INVALID';
    const content = partial
      ? `只写入正确的${task.okRows}行，有错误的${task.errorRows}行不会写入，是否继续?`
      : `将新增${task.newRows}行、变更${task.changedRows}行（无变化${task.sameRows}行不写入），是否继续?`;
    const facts = [
      { label: '批次号', value: task.batchNo },
      { label: '文件名', value: task.fileName },
      { label: '写入', value: `${partial ? task.okRows : task.newRows + task.changedRows} 行` },
    ];
    if (await ask({ title: '确认提交', content, facts }))
      await commit.run({ importTaskId: task.importTaskId, version: task.version }, { idempotencyKey: newKey() });
  };

  const seen = task && { importTaskId: task.importTaskId, version: task.version };
  const buttons = (
    <div className="kq-form-foot">
      <span>
        {task && !isBusy(task.state) && ['READY', 'INVALID', 'FAILED'].includes(task.state) && seen && (
          <>
            <Button type="link" disabled={revalidate.busy} onClick={() => void revalidate.run(seen)}>
              重新校验
            </Button>
            <Button type="link" danger disabled={cancel.busy} onClick={() => void cancel.run(seen)}>
              取消本批并重新上传
            </Button>
          </>
        )}
      </span>
      {step === UPLOAD && !task && <Button onClick={() => setChosen(TEMPLATE)}>上一步</Button>}
      {step > CHECK && step <= SUBMIT && task && !isBusy(task.state) && task.state !== 'FAILED' && (
        <Button onClick={() => setChosen(step - 1)}>上一步</Button>
      )}
      {step === TEMPLATE && (
        <Button type="primary" onClick={() => setChosen(UPLOAD)}>
          下一步
        </Button>
      )}
      {step === UPLOAD && !task && (
        <Button type="primary" loading={add.flying} disabled={files.length === 0 || add.busy} onClick={() => void start()}>
          开始校验
        </Button>
      )}
      {(step === CHECK || step === PREVIEW) && task && !isBusy(task.state) && (
        <Button
          type="primary"
          disabled={!task.mayCommit}
          title={task.mayCommit ? undefined : '有错误的数据不能提交'}
          onClick={() => setChosen(step + 1)}
        >
          下一步
        </Button>
      )}
      {step === SUBMIT && task && !isBusy(task.state) && task.state !== 'FAILED' && (
        <Button type="primary" loading={commit.flying} disabled={!task.mayCommit || commit.busy} onClick={() => void submit()}>
          {task.state === 'INVALID' ? '仅提交正确行' : '提交'}
        </Button>
      )}
      {step === END && (
        <>
          <Button onClick={startAnew}>继续导入</Button>
          <Button type="primary" onClick={onClose}>
            完成
          </Button>
        </>
      )}
    </div>
  );

  return (
    <Drawer
      open={open}
      title={`导入${importer?.importerLabel ?? ''}`}
      size={860}
      onClose={onClose}
      footer={buttons}
      destroyOnHidden
      mask={{ closable: false }}
    >
      <div className="kq-import">
        <StepBar steps={TITLES} current={step} />
        {error ? <Alert type="error" showIcon title="无法读取导入设置，请关闭后重试" /> : null}
        {!importer && !error && <Skeleton active />}
        {importer && step === TEMPLATE && (
          <>
            <p>请先下载模板，在“数据”表中填写后上传。单次最多导入{importer.maxRows.toLocaleString('en-US')}行；同一份内容不会重复写入。</p>
            <div>
              <Button type="primary" ghost onClick={() => void saveFile(downloadImportTemplate, { importerCode })}>
                下载模板
              </Button>
            </div>
          </>
        )}
        {importer && step === UPLOAD && !task && (
          <>
            <Upload
              purpose="IMPORT"
              max={1}
              value={files}
              onChange={(next) => (setFiles(next), setFault(null))}
              hint="点击选择、拖入或按 Ctrl+V 粘贴填好的表格"
            />
            {fault && <Alert type="error" showIcon title={fault} />}
            {importer.allowValidOnly && (
              <Radio.Group
                value={mode}
                onChange={({ target }) => setMode(target.value === 'VALID_ONLY' ? 'VALID_ONLY' : 'ALL_OR_NOTHING')}
                options={importModes.options.map(({ value, label }) => ({ value, label }))}
              />
            )}
          </>
        )}
        {taskId && !task && <Skeleton active />}
        {task && step === CHECK && <CheckStep task={task} />}
        {task && step === PREVIEW && (
          <>
            <Counts task={task} />
            <Rows task={task} actions={['CHANGE', 'NEW']} />
          </>
        )}
        {task && step === SUBMIT && !isBusy(task.state) && task.state !== 'FAILED' && (
          <>
            <Alert
              type="info"
              showIcon
              title={
                task.state === 'INVALID'
                  ? `将只写入正确的${task.okRows}行，略过有错误的${task.errorRows}行`
                  : '提交后全部行一起写入；任何一行失败时都不会写入'
              }
            />
            <Counts task={task} />
          </>
        )}
        {task && (step === END || (step === SUBMIT && (isBusy(task.state) || task.state === 'FAILED'))) && (
          <EndStep task={task} onChanged={changed} />
        )}
      </div>
    </Drawer>
  );
}
