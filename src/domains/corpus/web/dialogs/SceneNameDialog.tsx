import { Modal } from 'antd';
import { useState } from 'react';
import { DIALOG_TITLE, DIALOG_WIDTH } from '#kernel/web/feedback/dialogs.tsx';
import { queryDiseaseList } from '../../contract/diseaseCalls.ts';
import { modifySceneName, querySceneList } from '../../contract/sceneCalls.ts';
import { queryScenePackage } from '../../contract/scenePackageCalls.ts';
import { useCorpusCommand } from '../useCorpusCommand.ts';
import { useSceneTree, type AnyScene } from '../data.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { copyNameOf, faultOfName, NAME_MAX } from './newScenes.ts';

interface SceneNameDialogProps {
  scene: AnyScene;
  /** A copy is saved under the name; else the scene is renamed. */
  copy: boolean;
  onClose(): void;
}

/** 重命名 and 复制. */
export function SceneNameDialog({ scene, copy, onClose }: SceneNameDialogProps) {
  const { data: tree } = useSceneTree(scene.diseaseId);
  const [name, setName] = useState(copy ? copyNameOf(scene.name) : scene.name);
  const [version, setVersion] = useState(scene.version);
  const [shown, setShown] = useState(false);
  const beside = scene.main
    ? (tree?.rows.find((row) => row.id === scene.main?.id)?.dataDetail ?? []).map((child) => ({ id: child.id, name: child.childSceneName }))
    : (tree?.rows ?? []).map((row) => ({ id: row.id, name: row.sceneName }));
  const taken = beside.filter((other) => copy || other.id !== scene.id).map((other) => other.name);
  const fault = faultOfName(name, taken);
  const { run, busy, flying } = useCorpusCommand({
    call: modifySceneName,
    success: copy ? '添加成功!' : '修改成功!',
    refreshes: [querySceneList, queryDiseaseList, queryScenePackage],
    onDone: onClose,
  });
  const save = () => {
    setShown(true);
    if (fault !== null) return;
    const sceneName = name.trim();
    void run(
      { id: scene.id, sceneName, corpusInfoLogo: copy ? 1 : '', diseaseId: scene.diseaseId },
      {
        version,
        mine: { sceneName },
        labels: { sceneName: '场景名称' },
        onReload: (current) => {
          if (typeof current['sceneName'] === 'string') setName(current['sceneName']);
          setVersion(Number(current['version']));
        },
        onKeep: (current) => setVersion(Number(current['version'])),
      },
    );
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
      onOk={() => save()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <p className="kq-dialog-lead">
        {copy ? '复制' : '重命名'}：{scene.name}
      </p>
      <TextInput
        aria-label="场景名称"
        placeholder="场景名称"
        most={NAME_MAX}
        showCount
        value={name}
        status={shown && fault ? 'error' : ''}
        onChange={(event) => setName(event.target.value)}
        onPressEnter={() => save()}
      />
      {shown && fault && (
        <p className="kq-fault" role="alert">
          {fault}
        </p>
      )}
      {copy && <p className="kq-muted">复制日程、周期、条件和策略{scene.childIds.length > 0 && '，连同全部子场景'}</p>}
    </Modal>
  );
}
