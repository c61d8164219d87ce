import { Alert, Button, Drawer, Form, Select } from 'antd';
import { lazy, useState } from 'react';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { useCommand, useData, useList } from '#kernel/web/http/queries.ts';
import { StepBar } from '#kernel/web/kit/StepBar.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { batchModes, type BatchMode } from '../../contract/batchDictionaries.ts';
import { addInsuredBatch, auditInsuredBatch } from '../../contract/calls/batches.ts';
import { queryTemplateList, testTemplate } from '../../contract/calls/templates.ts';
import { POLICY_LIST } from '../../contract/purposes.ts';
import { makesPolicies, type Layout } from '../../contract/rules/template.ts';
import { Mapping } from './Mapping.tsx';
import { PolicySelect } from '../shared/PolicySelect.tsx';
import { BATCH_STEPS } from './steps.ts';
import { batchReads } from './useBatchActions.ts';

const SaveAsTemplate = lazy(async () => ({ default: (await import('./SaveAsTemplate.tsx')).SaveAsTemplate }));

interface Props {
  policyId: string | undefined;
  onClose(): void;
  onMade(batchId: string): void;
}

/** A new list: the file, then which of its columns is what; checking goes on in the list's own drawer. */
export function NewBatch({ policyId: chosen, onClose, onMade }: Props) {
  const [files, setFiles] = useState<readonly UploadedFile[]>([]);
  const [mode, setMode] = useState<BatchMode>('MIXED');
  const [policyId, setPolicyId] = useState<string | null>(chosen ?? null);
  const [day, setDay] = useState<string | null>(null);
  const [templateId, setTemplateId] = useState<string>();
  const [layout, setLayout] = useState<Layout>();
  const [sheet, setSheet] = useState<string>();
  const [mapping, setMapping] = useState(false);
  const layers = useLayers();
  const fileId = files[0]?.fileId;
  const templates = useList(queryTemplateList, { pageSize: 200 }, { quiet: true });
  const tried = useData(
    testTemplate,
    {
      fileId: fileId ?? '',
      ...(templateId && { templateId }),
      ...(policyId && { policyId }),
      ...(layout && { layout }),
      ...(sheet !== undefined && { sheet }),
    },
    { enabled: fileId !== undefined, quiet: true },
  );
  const parse = useCommand(auditInsuredBatch, { refreshes: batchReads });
  const add = useCommand(addInsuredBatch, { refreshes: batchReads });
  const used = templateId ?? tried.data?.templateId ?? undefined;
  const sheets = tried.data?.sheets ?? [];
  const named = tried.data?.layout.sheet ?? '';
  const shown = named === '' ? sheets[0] : named;
  const makes = policyId === null && makesPolicies(mode, tried.data?.layout.columns ?? []);
  const hasPolicyColumn = tried.data?.layout.columns.some(({ target }) => target === 'policyNo') ?? false;
  const readable = fileId !== undefined && tried.data !== undefined && used !== undefined;
  const placed = policyId !== null || hasPolicyColumn;
  const start = async () => {
    if (!fileId || !used) return;
    const made = await add.run({
      templateId: used,
      mode,
      fileId,
      policyIds: policyId === null ? [] : [policyId],
      defaultEffectiveOn: day,
      // what was looked at is what is read
      ...((layout !== undefined || sheet !== undefined) && tried.data && { layout: tried.data.layout }),
    });
    if (!made) return;
    const { id, version } = made.data;
    await parse.run({ batchId: id, version, action: 'parse' });
    onClose();
    onMade(id);
  };
  const saveAs = () => {
    const read = tried.data;
    if (read) layers.open((close) => <SaveAsTemplate layout={read.layout} onClose={close} onMade={setTemplateId} />);
  };
  return (
    <Drawer
      open
      size="100%"
      title="导入被保人清单"
      onClose={onClose}
      destroyOnHidden
      footer={
        <div className="kq-form-foot">
          <span>{mapping && <Button onClick={saveAs}>保存为模板</Button>}</span>
          {mapping && <Button onClick={() => setMapping(false)}>上一步</Button>}
          {mapping ? (
            <Button
              type="primary"
              disabled={!readable || !placed || tried.data?.missing.length !== 0}
              loading={add.flying}
              onClick={() => void start()}
            >
              开始校验
            </Button>
          ) : (
            <Button type="primary" disabled={!readable} onClick={() => setMapping(true)}>
              下一步
            </Button>
          )}
        </div>
      }
    >
      <StepBar steps={BATCH_STEPS} current={mapping ? 1 : 0} />
      {mapping && tried.data ? (
        <Mapping
          placed={placed}
          tried={tried.data}
          reading={tried.fetching}
          onChange={(next) => {
            // columns that somebody set are no template's any more: the one they began with is kept
            setTemplateId(used);
            setLayout(next);
          }}
        />
      ) : (
        <Form layout="vertical" style={{ maxWidth: 640 }}>
          <Form.Item label="清单文件" required>
            <Upload
              purpose={POLICY_LIST}
              value={files}
              max={1}
              hint="xlsx或csv，最多100MB、300万行"
              onChange={(next) => {
                setFiles(next);
                setTemplateId(undefined);
                setLayout(undefined);
                setSheet(undefined);
              }}
            />
          </Form.Item>
          {sheets.length > 1 && (
            <Form.Item
              label="工作表"
              required
              {...(shown !== undefined &&
                !sheets.includes(shown) && { validateStatus: 'error', help: `文件中没有模板的工作表“${shown}”，请选择` })}
            >
              <Select
                aria-label="工作表"
                value={shown ?? null}
                options={sheets.map((name) => ({ value: name, label: name }))}
                onChange={(name: string) => {
                  setSheet(name);
                  setLayout(undefined);
                }}
              />
            </Form.Item>
          )}
          <Form.Item label="方式" required>
            <Select<BatchMode> aria-label="方式" value={mode} options={[...batchModes.options]} onChange={setMode} />
          </Form.Item>
          <Form.Item label="模板" required extra={tried.data?.templateName ? `按表头识别为“${tried.data.templateName}”` : undefined}>
            <Select
              aria-label="模板"
              value={used ?? null}
              placeholder="上传后按表头自动识别"
              showSearch={{ optionFilterProp: 'label' }}
              options={(templates.rows ?? []).map((row) => ({ value: row.id, label: `${row.insurerName} ${row.templateName}` }))}
              onChange={(id: string) => {
                setTemplateId(id);
                setLayout(undefined);
              }}
            />
          </Form.Item>
          <Form.Item
            label="保单"
            required={!hasPolicyColumn}
            extra={makes ? '不存在的保单将按清单新增' : hasPolicyColumn ? '清单有保单号列，可不选' : undefined}
          >
            <PolicySelect aria-label="保单" value={policyId} onChange={(id) => setPolicyId(id)} />
          </Form.Item>
          <Form.Item label="默认日期" extra="清单没有日期的行：增员为首个保障日，减员为最后保障日">
            <DayInput aria-label="默认日期" value={day} onChange={(next: string | null | undefined) => setDay(next ?? null)} />
          </Form.Item>
          {fileId && tried.error ? <TableFailure error={tried.error} onRetry={() => void tried.refetch()} /> : null}
          {fileId && !tried.data && !tried.error && <Waiting for={tried} />}
          {tried.data && tried.data.templateId === null && !templateId && (
            <Alert type="warning" showIcon title="没有识别到模板，请选择最接近的模板，下一步可调整列对应关系" />
          )}
        </Form>
      )}
      {layers.shown}
    </Drawer>
  );
}
