import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Checkbox, Modal } from 'antd';
import { useState } from 'react';
import { DIALOG_TITLE, DIALOG_WIDTH } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { queryDiseaseList } from '../../contract/diseaseCalls.ts';
import { addChildScene, addScene, querySceneList, type SceneRow } from '../../contract/sceneCalls.ts';
import { chatFlagOf } from '../../contract/wire.ts';
import { useCorpusCommand } from '../useCorpusCommand.ts';
import { useSceneTree } from '../data.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { emptySceneRow, faultsOfNewScenes, MOST_NEW, NAME_MAX, type NewSceneRow } from './newScenes.ts';

interface AddScenesDialogProps {
  diseaseId: string;
  /** Set: child scenes of it are added. */
  main: SceneRow | null;
  onClose(): void;
}

/** Adds scenes, or child scenes of a main scene, row by row. */
export function AddScenesDialog({ diseaseId, main, onClose }: AddScenesDialogProps) {
  const { data: tree } = useSceneTree(diseaseId);
  const [rows, setRows] = useState<readonly NewSceneRow[]>([emptySceneRow]);
  const [shown, setShown] = useState(false);
  const taken = main ? main.dataDetail.map((child) => child.childSceneName) : (tree?.rows ?? []).map((scene) => scene.sceneName);
  const faults = faultsOfNewScenes(rows, taken);
  const options = { success: SERVER_MESSAGE, refreshes: [querySceneList, queryDiseaseList], onDone: onClose };
  const mains = useCorpusCommand({ call: addScene, ...options });
  const children = useCorpusCommand({ call: addChildScene, ...options });
  const act = main ? children : mains;
  const save = () => {
    setShown(true);
    if (faults.some((fault) => fault !== null)) return;
    const details = rows.map(({ name, groupChat, singleChat }) => ({
      name: name.trim(),
      groupChat,
      singleChat,
      chatFlag: chatFlagOf(groupChat, singleChat) ?? ('' as const),
    }));
    if (main) {
      const dataDetail = details.map(({ name, ...row }) => ({ childSceneName: name, ...row }));
      void children.run({ diseaseId, mainSceneId: main.id, dataDetail });
    } else {
      void mains.run({ diseaseId, dataDetail: details.map(({ name, ...row }) => ({ sceneName: name, ...row })) });
    }
  };
  const replace = (index: number, change: Partial<NewSceneRow>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  const noun = main ? '子场景' : '场景';
  return (
    <Modal
      open
      title={DIALOG_TITLE}
      width={DIALOG_WIDTH}
      className="kq-dialog kq-corpus-dialog"
      okText="确定"
      cancelText="取消"
      okButtonProps={{ loading: act.flying, disabled: act.busy }}
      onOk={() => save()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <p className="kq-dialog-lead">
        新增{noun}
        {main && `：${main.sceneName}`}
      </p>
      {rows.map((row, index) => (
        <div key={index} className="kq-new-scene">
          <TextInput
            autoFocus={index === rows.length - 1}
            aria-label={`第${index + 1}行场景名称`}
            placeholder="场景名称"
            most={NAME_MAX}
            showCount
            value={row.name}
            status={shown && faults[index] && row.name.trim() === '' ? 'error' : ''}
            onChange={(event) => replace(index, { name: event.target.value })}
            onPressEnter={() => save()}
          />
          <Checkbox checked={row.groupChat} onChange={(event) => replace(index, { groupChat: event.target.checked })}>
            群聊
          </Checkbox>
          <Checkbox checked={row.singleChat} onChange={(event) => replace(index, { singleChat: event.target.checked })}>
            单聊
          </Checkbox>
          <Button
            type="text"
            danger
            icon={<DeleteOutlined />}
            aria-label={`删除第${index + 1}行`}
            disabled={rows.length === 1}
            onClick={() => setRows(rows.filter((_, at) => at !== index))}
          />
          {shown && faults[index] && (
            <p className="kq-fault" role="alert">
              {faults[index]}
            </p>
          )}
        </div>
      ))}
      <Button
        type="dashed"
        block
        icon={<PlusOutlined />}
        disabled={rows.length >= MOST_NEW}
        onClick={() => setRows([...rows, emptySceneRow])}
      >
        加一行
      </Button>
    </Modal>
  );
}
