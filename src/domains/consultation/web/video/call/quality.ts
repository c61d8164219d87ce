export interface Network {
  rttMs: number;
  /** Lost packets in hundredths of a percent. */
  lostBp: number;
}

/** Bars of the network, 4 = good. */
export function barsOf({ rttMs, lostBp }: Network): 1 | 2 | 3 | 4 {
  if (rttMs < 150 && lostBp < 200) return 4;
  if (rttMs < 300 && lostBp < 500) return 3;
  return rttMs < 600 && lostBp < 1_000 ? 2 : 1;
}

/** What a connection measured of itself: the round trip of the pair in use, the share that the other side missed. */
export async function measure(connection: RTCPeerConnection): Promise<Network | null> {
  let network: Network | null = null;
  (await connection.getStats()).forEach((report: Record<string, unknown>) => {
    if (report['type'] === 'candidate-pair' && report['nominated'] === true && typeof report['currentRoundTripTime'] === 'number') {
      network = { lostBp: network?.lostBp ?? 0, rttMs: Math.round(report['currentRoundTripTime'] * 1_000) };
    }
    if (report['type'] === 'remote-inbound-rtp' && typeof report['fractionLost'] === 'number') {
      network = { rttMs: network?.rttMs ?? 0, lostBp: Math.max(network?.lostBp ?? 0, Math.round(report['fractionLost'] * 10_000)) };
    }
  });
  return network;
}

export const worst = (networks: readonly Network[]): Network | null =>
  networks.length === 0
    ? null
    : { rttMs: Math.max(...networks.map(({ rttMs }) => rttMs)), lostBp: Math.max(...networks.map(({ lostBp }) => lostBp)) };

/** Two see each other in 720p at 1.2 Mbit/s; from three on 360p keeps a mesh bearable. */
export const picture = (people: number): { maxBitrate: number; scaleResolutionDownBy: number } =>
  people <= 2 ? { maxBitrate: 1_200_000, scaleResolutionDownBy: 1 } : { maxBitrate: 500_000, scaleResolutionDownBy: 2 };
