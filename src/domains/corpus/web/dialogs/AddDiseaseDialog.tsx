import { Input, Modal, Table } from 'antd';
import { useState } from 'react';
import { DIALOG_TITLE, DIALOG_WIDTH } from '../../../../kernel/web/feedback/dialogs.tsx';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { SERVER_MESSAGE, useList } from '../../../../kernel/web/http/queries.ts';
import { TableEmpty, TableFailure } from '../../../../kernel/web/kit/TableState.tsx';
import { addDiseaseInfo, queryDiseaseList, type DiseaseRow } from '../../contract/diseaseCalls.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { useCorpusAct } from '../act.ts';
import { openPlace } from '../place.ts';

const PAGE = 10;

/** Chooses one disease of the dictionary, ten a page. */
export function AddDiseaseDialog({ onClose }: { onClose(): void }) {
  const [pageNo, setPageNo] = useState(1);
  const [diseaseName, setDiseaseName] = useState('');
  const [chosen, setChosen] = useState<DiseaseRow>();
  const { rows, total, error, fetching, refetch } = useList(queryDiseaseList, { pageNo, pageSize: PAGE, available: '0', diseaseName }, { quiet: true });
  const search = useDebouncedAct((text: string) => {
    setDiseaseName(text.trim());
    setPageNo(1);
  });
  const { run, busy, flying } = useCorpusAct({
    call: addDiseaseInfo,
    success: SERVER_MESSAGE,
    refreshes: [queryDiseaseList],
    onDone: ({ data }) => {
      onClose();
      openPlace({ diseaseId: data.id });
    },
  });
  const add = useDebouncedAct(() => {
    if (!chosen) toast(corpusErrors.NONE_CHOSEN.text, 'warning');
    else void run({ Id: chosen.id, diseaseCode: chosen.diseaseCode, diseaseName: chosen.diseaseName });
  }, 'addOrDelete');
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
      <Input.Search allowClear autoFocus placeholder="按病种名称或编码搜索" aria-label="搜索病种" onChange={(event) => search(event.target.value)} />
      <Table<DiseaseRow>
        className="kq-picker"
        size="small"
        rowKey="id"
        tableLayout="fixed"
        loading={fetching && !rows}
        dataSource={rows ?? []}
        columns={[
          { key: 'diseaseCode', title: '病种编码', width: 96, dataIndex: 'diseaseCode', ellipsis: true },
          { key: 'diseaseName', title: '病种名称', dataIndex: 'diseaseName', render: (name: string) => <span title={name}>{name}</span>, ellipsis: { showTitle: false } },
        ]}
        rowSelection={{ type: 'radio', selectedRowKeys: chosen ? [chosen.id] : [], onSelect: setChosen, columnWidth: 40 }}
        onRow={(row) => ({ onClick: () => setChosen(row), className: 'kq-clickable' })}
        locale={{
          emptyText: error ? (
            <TableFailure error={error} onRetry={() => void refetch()} />
          ) : (
            <TableEmpty loading={!rows}>{diseaseName ? '没有匹配的病种，可在病种字典中导入' : '字典中的病种都已加入语料库'}</TableEmpty>
          ),
        }}
        pagination={{ current: pageNo, pageSize: PAGE, total, size: 'small', showSizeChanger: false, hideOnSinglePage: false, showTotal: (n) => `共 ${n} 条`, onChange: setPageNo }}
      />
    </Modal>
  );
}
