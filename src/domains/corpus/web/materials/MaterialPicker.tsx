import { DeleteOutlined } from '@ant-design/icons';
import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useList } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { MovableList, moved } from '#kernel/web/kit/MovableList.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryMaterialList, type MaterialRow } from '../../contract/materials/calls.ts';
import { materialType } from '../../contract/materials/dictionaries.ts';
import { reviewMachine } from '../../contract/materials/review.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { TextSearch } from '#kernel/web/kit/TextInput.tsx';
import { MaterialForm } from './lazyDialogs.ts';
import { Thumb, useMaterials } from './Thumb.tsx';
import './materials.css';

interface MaterialPickerProps {
  value?: readonly string[];
  onChange?(ids: string[]): void;
  max: number;
  /** Those of this disease come first; null: it belongs to none. */
  diseaseId: string | null;
}

/** The materials of a schedule item or a cycle, in the order in which they are sent. */
export default function MaterialPicker({ value = [], onChange, max, diseaseId }: MaterialPickerProps) {
  const layers = useLayers();
  const choose = () =>
    layers.open((close) => (
      <Choice
        value={value}
        max={max}
        diseaseId={diseaseId}
        onClose={close}
        onChoose={(ids) => {
          onChange?.(ids);
          close();
        }}
      />
    ));
  const known = useMaterials(value);
  const chosen = value.flatMap((id) => known.get(id) ?? []);
  return (
    <div>
      <MovableList
        items={chosen.map(({ id, title }) => ({ key: id, label: title }))}
        onMove={(from, to) => {
          const ids = moved(
            chosen.map(({ id }) => id),
            from,
            to,
          );
          onChange?.([...ids, ...value.filter((id) => !ids.includes(id))]);
        }}
      >
        {(index) => {
          const row = chosen[index];
          if (!row) return null;
          return (
            <span className="kq-mat-line">
              <Thumb row={row} />
              <span className="kq-muted">
                {materialType.label(row.materialType)}
                {row.state === 'ENABLED' ? '' : ` · ${reviewMachine.dictionary.label(row.state)}`}
              </span>
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined />}
                aria-label={`移除${row.title}`}
                onClick={() => onChange?.(value.filter((id) => id !== row.id))}
              />
            </span>
          );
        }}
      </MovableList>
      <Button disabled={value.length >= max} onClick={choose}>
        选择素材（{value.length}/{max}）
      </Button>
      {layers.shown}
    </div>
  );
}

const PAGE = 10;

function Choice({
  value,
  max,
  diseaseId,
  onChoose,
  onClose,
}: Required<Pick<MaterialPickerProps, 'max' | 'diseaseId'>> & {
  value: readonly string[];
  onChoose(ids: string[]): void;
  onClose(): void;
}) {
  const [ticked, setTicked] = useState<readonly string[]>(value);
  const [keyword, setKeyword] = useState('');
  const [whole, setWhole] = useState(diseaseId === null);
  const [pageNo, setPageNo] = useState(1);
  const layers = useLayers();
  const edits = useMay()(may['material.edit']);
  const search = useDebouncedCallback((text: string) => {
    setKeyword(text.trim());
    setPageNo(1);
  });
  const { rows, total, error, fetching, refetch } = useList(
    queryMaterialList,
    {
      state: ['ENABLED', 'AUDITING', 'DRAFT'],
      pageNo,
      pageSize: PAGE,
      ...(keyword && { keyword }),
      ...(!whole && diseaseId !== null && { diseaseId }),
    },
    { quiet: true },
  );
  const add = (close: () => void) => (
    <MaterialForm material={null} onClose={close} onSaved={(id) => setTicked((now) => (now.length < max ? [...now, id] : now))} />
  );
  const toggle = (row: MaterialRow) =>
    setTicked((now) => (now.includes(row.id) ? now.filter((id) => id !== row.id) : now.length < max ? [...now, row.id] : now));
  return (
    <Modal
      open
      title="选择素材"
      width={760}
      onCancel={onClose}
      onOk={() => onChoose([...ticked])}
      okText={`确定（${ticked.length}/${max}）`}
      cancelText="取消"
    >
      <div className="kq-toolbar">
        <TextSearch
          allowClear
          style={{ width: 240 }}
          most={64}
          placeholder="标题或编号"
          aria-label="搜索素材"
          onChange={(event) => search(event.target.value)}
        />
        {diseaseId !== null && (
          <Button
            onClick={() => {
              setWhole(!whole);
              setPageNo(1);
            }}
          >
            {whole ? '只看本病种' : '查看全部素材'}
          </Button>
        )}
        {edits && <Button onClick={() => layers.open(add)}>新建素材</Button>}
      </div>
      <DataTable<MaterialRow>
        rows={rows}
        height="auto"
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="没有符合条件的素材"
        columns={[
          { key: 'title', title: '素材标题', width: 220 },
          { key: 'materialType', title: '类型', width: 90, kind: 'dict', dictionary: materialType, plain: true },
          { key: 'summary', title: '内容摘要', width: 200 },
          { key: 'state', title: '状态', width: 80, kind: 'dict', dictionary: reviewMachine.dictionary },
        ]}
        actions={[
          { label: '选择', when: (row) => !ticked.includes(row.id), act: toggle },
          { label: '取消选择', when: (row) => ticked.includes(row.id), act: toggle },
        ]}
        paging={{ pageNo, pageSize: PAGE, total, onChange: (next) => setPageNo(next) }}
      />
      {layers.shown}
    </Modal>
  );
}
