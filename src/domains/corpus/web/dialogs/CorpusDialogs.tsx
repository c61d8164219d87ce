import { Modal } from 'antd';
import { useEffect } from 'react';
import { ConditionPanel } from '../conditions/ConditionPanel.tsx';
import { AddDiseaseDialog } from './AddDiseaseDialog.tsx';
import { AddScenesDialog } from './AddScenesDialog.tsx';
import { DictionaryDrawer } from './DictionaryDrawer.tsx';
import { MoreActionsDialog } from './MoreActionsDialog.tsx';
import { SceneNameDialog } from './SceneNameDialog.tsx';
import { closeDialog, useCorpusDialog } from './store.ts';

/** The one open dialog of the corpus: the left menu opens it too, but it belongs to the page and goes when that is left. */
export function CorpusDialogs() {
  const open = useCorpusDialog((state) => state.open);
  useEffect(() => closeDialog, []);
  switch (open?.kind) {
    case 'addDisease':
      return <AddDiseaseDialog onClose={closeDialog} />;
    case 'dictionary':
      return <DictionaryDrawer onClose={closeDialog} />;
    case 'addScene':
      return <AddScenesDialog diseaseId={open.diseaseId} main={open.main} onClose={closeDialog} />;
    case 'more':
      return <MoreActionsDialog scene={open.scene} onClose={closeDialog} />;
    case 'name':
      return <SceneNameDialog key={`${open.scene.id}${open.copy}`} scene={open.scene} copy={open.copy} onClose={closeDialog} />;
    case 'launch':
      return (
        <Modal
          open
          title={`启动条件：${open.scene.name}`}
          width={1080}
          className="kq-corpus-dialog"
          footer={null}
          onCancel={closeDialog}
          mask={{ closable: false }}
        >
          <ConditionPanel scene={open.scene} expType={1} types={[1]} />
        </Modal>
      );
    default:
      return null;
  }
}
