import { Input, Modal } from 'antd';
import { useState } from 'react';
import { DIALOG_TITLE, DIALOG_WIDTH } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { SERVER_MESSAGE, useList } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { addDiseaseInfo, queryDiseaseList, type DiseaseRow } from '../../contract/diseaseCalls.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { useCorpusCommand } from '../useCorpusCommand.ts';
import { openPlace } from '../place.ts';

const PAGE = 10;
/** Pixels of ten rows and the head, so that the dialog keeps its size while paging. */
const PAGE_HEIGHT = 390;
const columns: readonly Column<DiseaseRow>[] = [
  { key: 'diseaseCode', title: '病种编码', width: 96 },
  { key: 'diseaseName', title: '病种名称' },
];

/** Chooses one disease of the dictionary, ten a page. */
export function AddDiseaseDialog({ onClose }: { onClose(): void }) {
  const [pageNo, setPageNo] = useState(1);
  const [diseaseName, setDiseaseName] = useState('');
  const [chosen, setChosen] = useState<DiseaseRow>();
  const { rows, total, error, fetching, refetch } = useList(
    queryDiseaseList,
    { pageNo, pageSize: PAGE, available: '0', diseaseName },
    { quiet: true },
  );
  const search = useDebouncedCallback((text: string) => {
    setDiseaseName(text.trim());
    setPageNo(1);
  });
  const { run, busy, flying } = useCorpusCommand({
    call: addDiseaseInfo,
    success: SERVER_MESSAGE,
    refreshes: [queryDiseaseList],
    onDone: ({ data }) => {
      onClose();
      void openPlace({ diseaseId: data.id });
    },
  });
  const add = () => {
    if (!chosen) toast(corpusErrors.NONE_CHOSEN.text, 'warning');
    else void run({ Id: chosen.id, diseaseCode: chosen.diseaseCode, diseaseName: chosen.diseaseName });
  };
  return (
    <Modal
      open
      title={DIALOG_TITLE}
      width={DIALOG_WIDTH}
      className="kq-dialog kq-corpus-dialog"
      okText="确定"
      cancelText="取消"
      okButtonProps={{ loading: flying, disabled: busy }}
      onOk={() => add()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <p className="kq-dialog-lead">新增病种：从病种字典中选择一个病种</p>
      <Input.Search
        allowClear
        autoFocus
        placeholder="按病种名称或编码搜索"
        aria-label="搜索病种"
        onChange={(event) => search(event.target.value)}
      />
      <DataTable<DiseaseRow>
        columns={columns}
        rows={rows}
        height={PAGE_HEIGHT}
        loading={fetching && !rows}
        error={error}
        onRetry={() => void refetch()}
        empty={diseaseName ? '没有匹配的病种，可在病种字典中导入' : '字典中的病种都已加入语料库'}
        choice={{ chosen: chosen?.id, onChoose: setChosen }}
        paging={{ pageNo, pageSize: PAGE, total, onChange: setPageNo, simple: true }}
      />
    </Modal>
  );
}
