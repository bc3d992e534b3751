// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/utils/Base64.sol";
import "@openzeppelin/contracts/utils/Strings.sol";

/// Draws a picture for a token, the same one always, and wraps it in metadata that needs no server.
library Drawing {
    using Strings for uint256;

    /// The metadata of a token as a `data:application/json;base64` URI.
    function metadata(string memory collection, uint256 id) internal pure returns (string memory) {
        bytes32 seed = keccak256(abi.encodePacked(collection, id));
        bytes memory picture = abi.encodePacked("data:image/svg+xml;base64,", Base64.encode(_svg(seed)));
        bytes memory traits = abi.encodePacked(
            '{"trait_type":"Hue","value":', _hue(seed, 0).toString(),
            '},{"trait_type":"Shapes","value":', _shapes(seed).toString(), "}"
        );
        bytes memory json = abi.encodePacked(
            '{"name":"', collection, " #", id.toString(),
            '","description":"A picture of the collection ', collection, ', drawn by its contract.",',
            '"image":"', picture, '","attributes":[', traits, "]}"
        );
        return string.concat("data:application/json;base64,", Base64.encode(json));
    }

    function _svg(bytes32 seed) private pure returns (bytes memory) {
        bytes memory shapes;
        for (uint256 i = 0; i < _shapes(seed); i++) {
            shapes = abi.encodePacked(shapes, _shape(seed, i));
        }
        return abi.encodePacked(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><rect width="400" height="400" fill="hsl(',
            _hue(seed, 0).toString(), ',45%,16%)"/>', shapes, "</svg>"
        );
    }

    function _shape(bytes32 seed, uint256 i) private pure returns (bytes memory) {
        string memory fill = string.concat(
            '" fill="hsl(', _hue(seed, i + 1).toString(), ',70%,', (45 + _pick(seed, i, 0, 25)).toString(), '%)" opacity=".85"/>'
        );
        if (_pick(seed, i, 1, 2) == 0) {
            return abi.encodePacked(
                '<circle cx="', (60 + _pick(seed, i, 2, 280)).toString(),
                '" cy="', (60 + _pick(seed, i, 3, 280)).toString(),
                '" r="', (30 + _pick(seed, i, 4, 70)).toString(), fill
            );
        }
        bytes memory place = abi.encodePacked(
            '<rect transform="rotate(', _pick(seed, i, 2, 90).toString(), ' 200 200)" x="',
            (20 + _pick(seed, i, 3, 220)).toString(), '" y="', (20 + _pick(seed, i, 4, 220)).toString()
        );
        return abi.encodePacked(
            place, '" width="', (50 + _pick(seed, i, 5, 120)).toString(),
            '" height="', (20 + _pick(seed, i, 6, 60)).toString(), '" rx="12', fill
        );
    }

    function _shapes(bytes32 seed) private pure returns (uint256) {
        return 4 + (uint256(seed) % 4);
    }

    function _hue(bytes32 seed, uint256 i) private pure returns (uint256) {
        return ((uint256(seed) >> 8) % 360 + i * 47) % 360;
    }

    function _pick(bytes32 seed, uint256 i, uint256 what, uint256 below) private pure returns (uint256) {
        return uint256(keccak256(abi.encodePacked(seed, i, what))) % below;
    }
}
