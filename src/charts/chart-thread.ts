import { parentPort } from 'node:worker_threads';
import { type Chart, drawPng } from './draw.ts';

/** The thread of desk.ts: each message is a chart, and each answer its picture. An error ends the thread. */
parentPort?.on('message', (chart: Chart) => parentPort?.postMessage(drawPng(chart)));
