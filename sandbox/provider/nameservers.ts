/** The provider's nameservers, in its order. */
export const masterServer = 'ns1.hosting.example';
export const nameservers = [masterServer, 'ns2.hosting.example', 'ns3.hosting.example'];
