/** A process that opens the data plane below the folder it is given, so that tests can kill it. */
import { openClusters } from '../../../emulator/clusters/open-clusters.ts'

const [root = '', pooler] = process.argv.slice(2)
const plane = await openClusters({ root })
process.stdout.write('open\n')
const address = await plane.createService('service', 'p')
if (pooler) await plane.openForwarder('service', 'pooler')
else await plane.createReplicaSet('replica', 'service')
process.stdout.write(`ready ${address.port}\n`)
