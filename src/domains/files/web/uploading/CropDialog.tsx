import { Button, Modal, Slider } from 'antd';
import { useEffect, useState } from 'react';
import Cropper from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { toastError } from '#kernel/web/feedback/toast.ts';
import '../files.css';
import { cutOut, type Part, type PictureSize } from './crop.ts';

const WIDTH = 720;
const MOST_ZOOM = 4;
const STEP = 0.05;

interface CropDialogProps {
  file: File;
  place: PictureSize;
  onCut(file: File): void;
  onClose(): void;
}

/** Chooses the part of a picture that is shown in its place: dragged, or moved by the arrow keys; larger by the wheel or the slider. */
export function CropDialog({ file, place, onCut, onClose }: CropDialogProps) {
  const [url, setUrl] = useState<string | null>(null);
  const [opened, setOpened] = useState(false);
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [part, setPart] = useState<Part | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const address = URL.createObjectURL(file);
    setUrl(address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  const finish = async () => {
    if (!part) return;
    setBusy(true);
    try {
      onCut(await cutOut(file, part, place));
    } catch {
      toastError('图片无法裁剪，请换一张图片');
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      title="裁剪图片"
      width={WIDTH}
      onCancel={onClose}
      mask={{ closable: false }}
      // The frame is measured once, when it stands still.
      afterOpenChange={setOpened}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" loading={busy} disabled={part === null} onClick={() => void finish()}>
            确定
          </Button>
        </>
      }
    >
      <div className="kq-crop" role="group" aria-label="裁剪区域">
        {url !== null && opened && (
          <Cropper
            image={url}
            crop={crop}
            zoom={zoom}
            maxZoom={MOST_ZOOM}
            aspect={place.width / place.height}
            keyboardStep={4}
            disableAutomaticStylesInjection
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_share, pixels) => setPart(pixels)}
            mediaProps={{ alt: file.name }}
          />
        )}
      </div>
      <div className="kq-crop-zoom">
        <span>缩放</span>
        <Slider
          ariaLabelForHandle="缩放"
          min={1}
          max={MOST_ZOOM}
          step={STEP}
          value={zoom}
          tooltip={{ formatter: (value) => `${Math.round((value ?? 1) * 100)}%` }}
          onChange={setZoom}
        />
      </div>
      <p className="kq-muted">
        拖动图片选择展示部分，滚轮或滑块缩放；将裁剪为{place.width}×{place.height}的比例。
        {part !== null && part.width < place.width && <b className="kq-danger">所选部分仅{part.width}像素宽，展示时会模糊。</b>}
      </p>
    </Modal>
  );
}
