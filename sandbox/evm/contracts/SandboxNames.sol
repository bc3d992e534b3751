// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The registry of ENS as EIP-137 describes it: owner, resolver and time to live of each node.
contract SandboxNames {
    struct Record {
        address owner;
        address resolver;
        uint64 ttl;
    }

    mapping(bytes32 => Record) private _records;
    mapping(address => mapping(address => bool)) private _operators;

    event NewOwner(bytes32 indexed node, bytes32 indexed label, address owner);
    event Transfer(bytes32 indexed node, address owner);
    event NewResolver(bytes32 indexed node, address resolver);
    event NewTTL(bytes32 indexed node, uint64 ttl);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    modifier authorised(bytes32 node) {
        address holder = _records[node].owner;
        require(holder == msg.sender || _operators[holder][msg.sender], "not the owner of the node");
        _;
    }

    constructor(address root) {
        _records[0].owner = root;
        emit Transfer(0, root);
    }

    function setRecord(bytes32 node, address holder, address resolver_, uint64 ttl_) external authorised(node) {
        _setOwner(node, holder);
        _setResolver(node, resolver_);
        _setTTL(node, ttl_);
    }

    function setSubnodeRecord(bytes32 node, bytes32 label, address holder, address resolver_, uint64 ttl_) external {
        bytes32 child = setSubnodeOwner(node, label, holder);
        _setResolver(child, resolver_);
        _setTTL(child, ttl_);
    }

    function setSubnodeOwner(bytes32 node, bytes32 label, address holder) public authorised(node) returns (bytes32) {
        bytes32 child = keccak256(abi.encodePacked(node, label));
        _records[child].owner = holder;
        emit NewOwner(node, label, holder);
        return child;
    }

    function setOwner(bytes32 node, address holder) external authorised(node) {
        _setOwner(node, holder);
    }

    function setResolver(bytes32 node, address resolver_) external authorised(node) {
        _setResolver(node, resolver_);
    }

    function setTTL(bytes32 node, uint64 ttl_) external authorised(node) {
        _setTTL(node, ttl_);
    }

    function setApprovalForAll(address operator, bool approved) external {
        _operators[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function owner(bytes32 node) external view returns (address) {
        address holder = _records[node].owner;
        return holder == address(this) ? address(0) : holder;
    }

    function resolver(bytes32 node) external view returns (address) {
        return _records[node].resolver;
    }

    function ttl(bytes32 node) external view returns (uint64) {
        return _records[node].ttl;
    }

    function recordExists(bytes32 node) external view returns (bool) {
        return _records[node].owner != address(0);
    }

    function isApprovedForAll(address holder, address operator) external view returns (bool) {
        return _operators[holder][operator];
    }

    function _setOwner(bytes32 node, address holder) private {
        _records[node].owner = holder;
        emit Transfer(node, holder);
    }

    function _setResolver(bytes32 node, address resolver_) private {
        if (resolver_ == _records[node].resolver) return;
        _records[node].resolver = resolver_;
        emit NewResolver(node, resolver_);
    }

    function _setTTL(bytes32 node, uint64 ttl_) private {
        if (ttl_ == _records[node].ttl) return;
        _records[node].ttl = ttl_;
        emit NewTTL(node, ttl_);
    }
}
